import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, connectSocket } from "../gateway/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const secret = "swordfish-7731-not-to-be-seen";

/** The code of a plugin that gives its secret away in every way that a plugin has. */
const leaky = `export default {
  manifestVersion: 1, key: "leaky", displayName: "Leaky", description: "Keeps nothing to itself.",
  secretKeys: [{ key: "token", label: "Token" }],
  tools: {
    namespace: "leaky",
    async start(config, ctx) {
      const tell = () => {
        const { token } = config;
        ctx.logger("the token is " + token);
        console.log("stdout", token);
        console.error("stderr", token);
        ctx.reportRuntimeState({ token, deep: { list: ["x" + token] } });
        ctx.reportRuntimeError("refused: " + token);
        return token;
      };
      tell();
      const tool = (name, execute) => ({ name, description: name, parameters: { type: "object" }, execute });
      return {
        toolsets: [{ id: "leaky", description: "Tells.", tools: [
          tool("tell", async () => ({ content: [{ type: "text", text: tell() }], details: { token: tell() } })),
          tool("fail", async () => { throw new Error("bad " + tell()); }),
        ] }],
        stop: async () => {},
      };
    },
  },
  commands: [{ name: "tell", description: "Tells.", run: async () => "it is hidden" }],
};`;

/** Every file below a folder, the files of the vault included, which may contain only ciphertext. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe("the value of a secret", () => {
  let folder: string;
  let app: RunningApp;
  let client: Client;
  const seen: string[] = [];
  const look = (what: unknown) => seen.push(JSON.stringify(what));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "patchbay-secrets-"));
    const script = join(folder, "script.yaml");
    await writeFile(
      script,
      `- call: [{tool: leaky__tell}, {tool: leaky__fail}]\n- say: "I heard ${secret} and keep it."\n`,
    );
    const plugin = await writePlugin(join(folder, "leaky"), { key: "leaky", files: { "index.js": leaky } });
    app = await startApp(join(folder, "home"));
    const connected = await connectSocket(app);
    client = connected.client;
    const events = await client.app.events({});
    void (async () => {
      for await (const event of events) look(event);
    })().catch(() => {});

    look(await app.cli("agent", "create", "Told", "--model", `scripted:${script}`));
    look(await app.cli("plugin", "install", plugin, "--yes"));
    look(await app.cli("plugin", "config", "leaky", "--agent", "told", "--set", `token=${secret}`));
    look(await app.cli("plugin", "enable", "leaky", "--agent", "told"));
    for (const tool of ["leaky__tell", "leaky__fail"]) {
      const call = client.tools.call({ agentId: "told", name: tool, yes: true });
      look(await call.catch((error: { data: unknown; message: string }) => [error.message, error.data]));
    }
    look(await app.cli("agent", "prompt", "told", `Did I say ${secret}?`, "--yes"));
    look(await client.app.snapshot());
    look(await client.agentPlugins.logs({ agentId: "told", key: "leaky" }));
    for (const { id } of await client.sessions.list({ agentId: "told" })) {
      look(await client.sessions.entries({ agentId: "told", sessionId: id }));
      look(await client.sessions.trace({ agentId: "told", sessionId: id }));
    }
    await app.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("was told by the plugin in every way, and taken out", () => {
    const all = seen.join("\n");
    for (const said of [
      "the token is •••",
      "stdout •••",
      "stderr •••",
      "refused: •••",
      "bad •••",
      "I heard •••",
    ])
      expect(all).toContain(said);
  });

  it("reaches no screen and no command", () => {
    expect(seen.filter((text) => text.includes(secret))).toEqual([]);
  });

  it("is in no file of the home folder", async () => {
    const files = await filesBelow(join(folder, "home"));
    expect(files.some((file) => file.endsWith("vault.json"))).toBe(true);
    expect(files.some((file) => file.includes("audit"))).toBe(true);
    const found: string[] = [];
    for (const file of files) if ((await readFile(file)).includes(secret)) found.push(file);
    expect(found).toEqual([]);
  });
});
