import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, connectSocket } from "../gateway/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** What no page may run and no reader may take for markup. */
export const hostile = `</script><img src=x onerror="document.title='owned'"></pre></details><b>`;

/** Tools that send, ask and fail; the text of one is markup. */
const worker = `export default {
  manifestVersion: 1, key: "worker", displayName: "Worker", description: "Works.",
  tools: {
    namespace: "worker",
    async start(config, ctx) {
      const text = (text) => ({ content: [{ type: "text", text }] });
      const tool = (name, execute) => ({ name, description: name, parameters: { type: "object" }, execute });
      return { toolsets: [{ id: "worker", description: "Works.", tools: [
        tool("send", async (_id, { words }) => { ctx.logger("sending " + words); return text("sent " + words); }),
        tool("read", async () => text(${JSON.stringify(hostile).replaceAll("</script>", "<\\/script>")})),
        tool("fail", async () => { throw new Error("out of order"); }),
        tool("wait", () => new Promise(() => {})),
      ] }], stop: async () => {} };
    },
  },
};`;

/** A hook that rewrites what is sent. */
const tidy = hookPlugin(
  "tidy",
  `args.words ? { allow: true, payload: { args: { words: args.words.toUpperCase() } } } : { allow: true }`,
);
/** A hook that forbids. */
const guard = hookPlugin(
  "guard",
  `args.words === "NO" ? { allow: false, reason: "not that word" } : { allow: true }`,
);

function hookPlugin(key: string, answer: string): string {
  return `export default {
  manifestVersion: 1, key: "${key}", displayName: "${key}", description: "Watches.",
  hooks: { events: ["tool.before@v1"], async start() {
    return { handlers: { "tool.before@v1": ({ args }) => (${answer}) }, stop: async () => {} };
  } },
};`;
}

export interface RecordedHome {
  app: RunningApp;
  client: Client;
  folder: string;
  home: string;
  sessionId: string;
  /** Runs a turn to its end and answers its id. */
  turn(text: string): Promise<string>;
  /** Starts the app over the same home once more. */
  reopen(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A real app with an agent `ada`, three plugins and a scripted model. @param script in YAML */
export async function recordedHome(script: string): Promise<RecordedHome> {
  const folder = await mkdtemp(join(tmpdir(), "patchbay-traces-"));
  const home = join(folder, "home");
  const file = join(folder, "script.yaml");
  await writeFile(file, script);
  let app = await startApp(home);
  let { client } = await connectSocket(app);
  await app.cli("agent", "create", "Ada", "--model", `scripted:${file}`);
  for (const [key, text] of Object.entries({ worker, tidy, guard })) {
    const plugin = await writePlugin(join(folder, key), { key, files: { "index.js": text } });
    await app.cli("plugin", "install", plugin, "--yes");
    await app.cli("plugin", "enable", key, "--agent", "ada");
  }
  const { revision } = await client.agents.get({ agentId: "ada" });
  await client.agents.update({ agentId: "ada", revision, policy: [{ tool: "*", effect: "allow" }] });
  const { id: sessionId } = await client.sessions.create({ agentId: "ada" });
  return {
    get app() {
      return app;
    },
    get client() {
      return client;
    },
    folder,
    home,
    sessionId,
    async turn(text) {
      let turnId = "";
      for await (const event of await client.sessions.prompt({ agentId: "ada", sessionId, text }))
        if (event.type === "turn_started") ({ turnId } = event);
      return turnId;
    },
    async reopen() {
      app = await startApp(home);
      ({ client } = await connectSocket(app));
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
