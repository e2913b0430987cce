import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import type { SetupAnswer, SetupView } from "../../src/contract/index.ts";
import { Vault } from "../../src/main/secrets/index.ts";
import { openFileStorage } from "../../src/main/store/index.ts";
import { type Client, connectSocket } from "../gateway/support.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { Browser, IdentityProvider } from "../support/identity-provider.ts";
import { PhoneSimulator } from "../support/phone.ts";
import { environmentsBelow } from "../support/processes.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { leaksIn } from "../support/spellings.ts";

/** The code of a plugin that gives its secret away in every way that a plugin has, and in every encoding. */
const gossip = (key: string, start: string, more: string) => `
const spell = (text) => [text, JSON.stringify({ text }), encodeURIComponent(text), "?q=" + encodeURIComponent(text),
  Buffer.from(text).toString("base64"), Buffer.from("user:" + text).toString("base64"),
  Buffer.from("ab" + text + "cd").toString("base64url"), JSON.stringify(JSON.stringify(text))];
const tellAll = (ctx, text) => {
  for (const spelt of spell(text)) {
    ctx.logger("I was given " + spelt);
    console.log("out " + spelt);
    console.error("err " + spelt);
  }
  ctx.reportRuntimeState({ told: spell(text), deep: { list: [{ text }] } });
  ctx.reportRuntimeError("It says " + spell(text).join(" and "));
  return spell(text).join(" ");
};
export default {
  manifestVersion: 1, key: "${key}", displayName: "${key}", description: "Keeps nothing to itself.",
  ${more}
  tools: {
    namespace: "${key}",
    async start(config, ctx) {
      ${start}
      const tool = (name, execute) => ({ name, description: name, parameters: { type: "object" }, execute });
      return {
        toolsets: [{ id: "${key}", description: "Tells.", tools: [
          tool("tell", async () => { const text = tellAll(ctx, await secret()); return { content: [{ type: "text", text }], details: { text } }; }),
          tool("fail", async () => { throw new Error("bad " + spell(await secret()).join(" ")); }),
        ] }],
        stop: async () => {},
      };
    },
  },
};`;

const formGossip = gossip(
  "blabber",
  "const secret = async () => config.token; tellAll(ctx, config.token);",
  'secretKeys: [{ key: "token", label: "Token" }],',
);
const oauthGossip = gossip(
  "chatter",
  "const secret = () => ctx.oauth.token();",
  `setup: {
    begin: async (input) => ({ sessionId: "s", state: { kind: "awaiting_oauth", issuer: input.issuer, clientId: "patchbay",
      scopes: ["openid", "offline_access"], parameters: { prompt: "consent" } } }),
    submit: async (_id, tokens, ctx) => {
      for (const text of Object.values(tokens)) { ctx.logger("got " + text); console.log("got " + text); }
      return { kind: "done", config: { tools: { signed_in_with: tokens.accessToken, note: "as " + tokens.accessToken } }, account: "ada" };
    },
    poll: async () => ({ kind: "error", message: "There is nothing to wait for." }),
  },`,
);

describe("secrets after setups by form, by QR code and by OAuth", () => {
  let folder: string;
  let home: string;
  let app: RunningApp;
  /** The token of the command line when the app was closed. */
  let gateway = "";
  let client: Client;
  let socket: WebSocket;
  let phone: PhoneSimulator;
  let provider: IdentityProvider;
  const secrets: Record<string, string> = {
    form: 'sword"fish+ü/ 7731\\not-to-be-seen',
    pin: "pin-4711-of-the-phone",
  };
  /** Everything that the core sent to screens, scripts and the command line. */
  const traffic: string[] = [];
  /** Command lines and environments of every process below the app, while all of them ran. */
  const processes: string[] = [];
  let archive: Record<string, string> = {};
  const zips: Uint8Array[] = [];

  const rest = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await app.rest(method, path, body);
    traffic.push(JSON.stringify(answer));
    return answer as T;
  };
  const cli = async (...args: string[]) => void traffic.push(JSON.stringify(await app.cli(...args)));
  const setup = (key: string, verb: string, body: object) =>
    rest<SetupView>("POST", `/agents/helper/plugins/${key}/setup/${verb}`, body);
  const answer = ({ id, step, pluginKey }: SetupView, given: SetupAnswer) =>
    setup(pluginKey, "submit", { sessionId: id, stepId: step.id, answer: given });
  const untilDone = async (key: string, id: string) => {
    for (;;) {
      const { step } = await setup(key, "poll", { sessionId: id });
      if (step.kind === "done") return;
      if (step.kind === "error") throw new Error(step.problem.message);
      await new Promise<void>((next) => socket.once("message", () => next()));
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "patchbay-leaks-"));
    home = join(folder, "home");
    [phone, provider, app] = await Promise.all([
      PhoneSimulator.open(),
      IdentityProvider.open(),
      startApp(home),
    ]);
    ({ client, socket } = await connectSocket(app));
    socket.on("message", (data) => traffic.push(data.toString()));
    const events = await client.app.events({});
    void (async () => {
      for await (const _ of events);
    })().catch(() => {});

    for (const [key, code] of [
      ["blabber", formGossip],
      ["chatter", oauthGossip],
    ] as const) {
      const dir = await writePlugin(join(folder, key), { key, files: { "index.js": code } });
      await cli("plugin", "install", dir, "--yes");
    }
    await cli("plugin", "install", resolve("test/fixtures/plugins/phone"), "--yes");

    const form = await setup("blabber", "begin", {});
    await answer(form, { kind: "settings", secrets: { token: secrets.form as string } });

    const typed = await setup("phone", "begin", {});
    const shown = await answer(typed, {
      kind: "values",
      values: { service: phone.url, pin: secrets.pin as string },
    });
    phone.scan();
    await untilDone("phone", shown.id);
    secrets.session = phone.latest.token;
    secrets.identity = phone.latest.identityKey;

    const signIn = await setup("chatter", "begin", { input: { issuer: provider.issuer } });
    if (signIn.step.kind !== "oauth") throw new Error(JSON.stringify(signIn.step));
    await new Browser().allow(signIn.step.url);
    await untilDone("chatter", signIn.id);

    for (const name of ["blabber__tell", "blabber__fail", "chatter__tell", "chatter__fail"]) {
      const call = client.tools.call({ agentId: "helper", name, yes: true });
      traffic.push(JSON.stringify(await call.catch((error: Error) => error.message)));
    }
    const script = join(folder, "script.json");
    const steps = [
      { call: ["blabber", "chatter"].map((key) => ({ tool: `${key}__tell` })) },
      { say: "Done." },
    ];
    await writeFile(script, JSON.stringify(steps));
    await rest("PATCH", "/agents/helper", { model: { kind: "scripted", file: script } });
    await cli("agent", "prompt", "helper", `Tell me of ${secrets.form}`, "--yes");
    processes.push(...(await environmentsBelow(app.process.pid ?? 0)));
    await rest("GET", "/snapshot");
    await rest("GET", "/secrets");
    for (const key of ["blabber", "phone", "chatter"]) {
      await rest("GET", `/agents/helper/plugins/${key}/logs`);
      await cli("plugin", "info", key);
    }
    await cli("plugin", "list");

    const report = await client.diagnostics.gather();
    for (const { name } of report.files) await client.diagnostics.text({ id: report.id, name });
    const overSocket = await client.diagnostics.archive({ id: report.id });
    zips.push(new Uint8Array(await overSocket.arrayBuffer()));
    const overRest = await fetch(`${app.url}/api/diagnostics/${report.id}/archive`, {
      method: "POST",
      headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json" },
      body: "{}",
    });
    zips.push(new Uint8Array(await overRest.arrayBuffer()));
    archive = Object.fromEntries(
      Object.entries(unzipSync(zips[0] as Uint8Array)).map(([name, bytes]) => [name, strFromU8(bytes)]),
    );
    gateway = app.token;
    await app.close();

    const vault = await Vault.open({
      storage: openFileStorage({ home, onNotice() {} }),
      onNotice() {},
    });
    const stored = JSON.parse(vault.resolve("CHATTER_SIGN_IN", "helper") ?? "{}") as Record<string, string>;
    for (const name of ["accessToken", "refreshToken", "idToken"]) secrets[name] = stored[name] ?? "";
    await vault.close();
  }, 180_000);
  afterAll(async () => {
    await phone.close();
    await provider.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("were all there, and were told by the plugins that had them", () => {
    for (const value of Object.values(secrets)) expect(value.length).toBeGreaterThan(8);
    const all = traffic.join("\n");
    for (const said of ["I was given •••", "out •••", "err •••", "It says •••", "got •••", "linked with •••"])
      expect(all).toContain(said);
    expect(leaksIn(JSON.stringify(secrets), secrets)).not.toEqual([]);
  });

  it("reach no screen, no script and no command", () => {
    expect(traffic.length).toBeGreaterThan(50);
    expect(leaksIn(traffic.join("\n"), secrets)).toEqual([]);
  });

  it("are in no file of the home folder, logs, traces and the audit log among them", async () => {
    const entries = await readdir(home, { withFileTypes: true, recursive: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.some((file) => file.endsWith("vault.json"))).toBe(true);
    expect(files.some((file) => file.includes("audit"))).toBe(true);
    expect(files.some((file) => /[\\/]logs[\\/]blabber\.jsonl$/.test(file))).toBe(true);
    const found: string[] = [];
    for (const file of files)
      for (const leak of leaksIn(await readFile(file), secrets)) found.push(`${file}: ${leak}`);
    expect(found).toEqual([]);
  });

  it.runIf(process.platform === "linux")("are in no command line and no environment of a process", () => {
    expect(processes.length).toBeGreaterThan(3);
    expect(leaksIn(processes.join("\n"), secrets)).toEqual([]);
  });

  it("are not in the diagnostics, nor is the token of the gateway", () => {
    expect(Object.keys(archive)).toEqual(
      expect.arrayContaining(["instances.json", "logs/helper/blabber.log", "audit.jsonl", "secrets.json"]),
    );
    const traces = Object.keys(archive).filter((name) => name.startsWith("traces/helper/"));
    expect(traces.map((name) => archive[name]).join("")).toContain("blabber__tell");
    expect(archive["secrets.json"]).toContain("CHATTER_SIGN_IN");
    expect(leaksIn(JSON.stringify(archive), { ...secrets, gateway })).toEqual([]);
    expect(zips[1]).toEqual(zips[0]);
  });
});
