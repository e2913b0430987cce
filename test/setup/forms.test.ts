import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PatchbayError } from "../../src/contract/index.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PhoneSimulator } from "../support/phone.ts";
import { PoolWorld, reference } from "../support/pool-world.ts";
import { SetupWorld } from "../support/setup-world.ts";

let folder: string;
let world: PoolWorld;
let wizard: SetupWorld;
let phone: PhoneSimulator;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-forms-"));
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  phone = await PhoneSimulator.open();
  await world.agent("ada");
  wizard = new SetupWorld(world);
});
afterEach(async () => {
  await wizard.close();
  await world.pool.close();
  const left = world.alive();
  await world.close();
  await phone.close();
  await rm(folder, { recursive: true, force: true });
  expect(left).toEqual([]);
});

async function install(key: string, code: string): Promise<void> {
  const dir = await writePlugin(join(folder, key), { key, files: { "index.js": code } });
  await world.registry.put(await world.describe(dir));
}

const row = (key: string) => world.agentPlugins.get("ada", key);

/** A bot that takes one token and says when it is refused. */
const bot = `export default {
  manifestVersion: 1, key: "bot", displayName: "Bot", description: "Chats.",
  secretKeys: [{ key: "token", label: "Token" }],
  channel: {
    start: async (config, ctx) => {
      if (config.token !== "right-token") {
        ctx.reportRuntimeError("The token is refused.", { credentialsRefused: true });
        return { name: "bot", stop: async () => {} };
      }
      ctx.reportRuntimeState({ account: "@bot" });
      return { name: "bot", stop: async () => {} };
    },
  },
};`;

test("a wrong token is told by the running plugin, and the next wizard asks for another one", async () => {
  await install("bot", bot);
  await wizard.setups.begin("ada", "bot");
  await expect(wizard.answer("bot", { kind: "settings" })).resolves.toMatchObject({
    step: { kind: "done" },
  });
  expect(world.pool.view("ada", "bot")).toMatchObject({ state: "needs_setup" });
  await wizard.setups.begin("ada", "bot", { again: true });
  await wizard.answer("bot", { kind: "settings", secrets: { token: "wrong-token" } });
  await world.until(() => row("bot")?.lastError?.code === "CREDENTIALS_REFUSED");
  expect(world.pool.view("ada", "bot").state).toBe("degraded");

  const again = await wizard.setups.begin("ada", "bot");
  expect(again.reason).toBe("sign_in_again");
  await wizard.answer("bot", { kind: "settings", secrets: { token: "right-token" } });
  await world.until(() => row("bot")?.runtimeState?.account === "@bot");
  expect(world.pool.view("ada", "bot").state).toBe("running");
  expect(row("bot")).toMatchObject({ lastError: null });
  expect((await wizard.setups.begin("ada", "bot")).reason).toBe("reconfigure");
});

/** Takes one word and refuses another, when it is asked in its own process. */
const picky = `export default {
  manifestVersion: 1, key: "picky", displayName: "Picky", description: "Refuses settings.",
  secretKeys: [{ key: "token", label: "Token" }],
  configSchema: { type: "object", properties: { channel: { type: "object", properties: {
    room: { type: "string", minLength: 2 }, token: { type: "string" } } } } },
  parseConfig(config) {
    const { room, token } = config.channel ?? {};
    if (room === "exits") process.exit(3);
    if (room === "hangs") return new Promise(() => {});
    const issues = [];
    if (room === "attic") issues.push({ path: ["channel", "room"], message: "The attic is locked" });
    if (token && !token.startsWith("tok-")) issues.push({ path: ["channel", "token"], message: "No token of ours" });
    if (issues.length > 0) throw Object.assign(new Error("refused"), { issues });
    return config;
  },
  channel: { start: async () => ({ name: "picky", stop: async () => {} }) },
};`;

test.each<[string, { room: string; token: string }, { code: string; path: string; message: string }]>([
  [
    "that its schema refuses",
    { room: "x", token: "tok-1" },
    {
      code: "CONFIG_INVALID",
      path: "channel.room",
      message: "`room` must have at least 2 characters.",
    },
  ],
  [
    "that it refuses itself",
    { room: "attic", token: "tok-1" },
    { code: "CONFIG_REFUSED", path: "channel.room", message: "The attic is locked" },
  ],
  [
    "with a secret that it refuses",
    { room: "hall", token: "stolen" },
    { code: "CONFIG_REFUSED", path: "channel.token", message: "No token of ours" },
  ],
])("settings %s are an error at their field; nothing is written, and the form stays", async (...given) => {
  const [, { room, token }, { code, path, message }] = given;
  await install("picky", picky);
  const { step } = await wizard.setups.begin("ada", "picky");
  const refused = wizard.answer("picky", {
    kind: "settings",
    config: { channel: { room } },
    secrets: { token },
  });
  await expect(refused).rejects.toMatchObject({ code, details: { fields: [{ path, message }] } });
  const again = wizard.step("picky", "settings");
  expect(again.config).toEqual({ channel: { room } });
  expect(again.id).not.toBe(step.id);
  expect(row("picky")).toMatchObject({ enabled: false, config: {}, setupState: { finished: null } });
  expect(world.vault.list()).toEqual([]);
  expect(world.alive()).toEqual([]);

  await wizard.answer("picky", {
    kind: "settings",
    config: { channel: { room: "hall" } },
    secrets: { token: "tok-2" },
  });
  expect(wizard.view("picky").step.kind).toBe("done");
  expect(world.vault.resolve("PICKY_TOKEN", "ada")).toBe("tok-2");
  expect(world.pool.view("ada", "picky").state).toBe("running");
});

test("settings that a plugin answers nothing to are not kept; those that end its process are, and its start tells", async () => {
  world.settings.limits.startMs = 1_500;
  await install("picky", picky);
  await wizard.setups.begin("ada", "picky");
  const hung = wizard.answer("picky", {
    kind: "settings",
    config: { channel: { room: "hangs" } },
    secrets: { token: "tok-1" },
  });
  await expect(hung).rejects.toMatchObject({
    code: "SETUP_TIMEOUT",
    message: "The setup of Picky did not answer within 1.5 seconds.",
  });
  expect(row("picky")).toMatchObject({ enabled: false, config: {} });
  expect(world.vault.list()).toEqual([]);
  expect(world.alive()).toEqual([]);
  await wizard.answer("picky", {
    kind: "settings",
    config: { channel: { room: "exits" } },
    secrets: { token: "tok-1" },
  });
  expect(wizard.view("picky").step.kind).toBe("done");
  expect(world.pool.view("ada", "picky").reason?.code).toBe("HOST_CRASHED");
});

test("what would only come to light when all was typed is said before the first step", async () => {
  await install("picky", picky);
  const message = "The files of Picky are not those that were installed.";
  wizard.integrity = { code: "PLUGIN_FILES_CHANGED", message };
  const { step } = await wizard.setups.begin("ada", "picky");
  expect(step).toMatchObject({
    kind: "error",
    problem: { code: "PLUGIN_FILES_CHANGED", message },
    canRetry: true,
  });
  wizard.integrity = null;
  expect((await wizard.answer("picky", { kind: "retry" })).step.kind).toBe("settings");

  await world.install("phone");
  const locked = "The stored secrets cannot be opened. The keychain is locked.";
  const closed = new PatchbayError("VAULT_CLOSED", locked);
  const refuse = vi.spyOn(world.vault, "refuseWhenClosed").mockImplementation(() => {
    throw closed;
  });
  for (const key of ["phone", "picky"]) {
    const view = await wizard.setups.begin("ada", key, { again: true });
    expect(view.step).toMatchObject({ kind: "error", problem: { code: "VAULT_CLOSED", message: locked } });
    expect(world.alive()).toEqual([]);
  }
  refuse.mockRestore();
  expect((await wizard.answer("phone", { kind: "retry" })).step.kind).toBe("form");
  expect((await wizard.answer("picky", { kind: "retry" })).step.kind).toBe("settings");
});

/** A channel package as it was written for another host: the four states of its contract and nothing else. */
const legacy = `const sessions = new Map();
export default {
  manifestVersion: 1, key: "old-chat", namespace: "old", displayName: "Old chat",
  parseConfig: (input) => { if (input.enabled !== true) throw new Error("not enabled"); return input; },
  async start(config, ctx) {
    const stored = await ctx.credentialStore.list("device");
    ctx.logger("old-chat", "linked as " + config.account + " with " + Object.keys(stored).join());
    return { name: "old", stop: async () => {} };
  },
  setup: {
    async begin(input, ctx) {
      ctx.logger("begun for " + ctx.agentId);
      sessions.set("one", {});
      return { sessionId: "one", state: { kind: "awaiting_user_input", instructions: "Which number?",
        fields: [{ key: "service", label: "Service", type: "text", required: true }, { key: "number", label: "Number", type: "phone" }] } };
    },
    async submit(id, input) {
      Object.assign(sessions.get(id), input);
      const answer = await fetch(input.service + "/pairings", { method: "POST" });
      sessions.get(id).pairing = (await answer.json()).id;
      return { kind: "awaiting_external", instructions: "Scan it.", qrText: "old:pair", pollIntervalMs: 50 };
    },
    async poll(id, ctx) {
      const { service, pairing, number } = sessions.get(id);
      const state = await (await fetch(service + "/pairings/" + pairing + "/state", { method: "POST" })).json();
      if (state.status !== "linked") return { kind: "awaiting_external", instructions: "Scan it.", qrText: state.qr, pollIntervalMs: 50 };
      await ctx.credentialStore.replace("device", { identityKey: state.identityKey });
      return { kind: "done", config: { account: number, bot_token: state.token } };
    },
    async cancel(id) {
      const { service, pairing } = sessions.get(id) ?? {};
      if (pairing) await fetch(service + "/pairings/" + pairing + "/cancel", { method: "POST" });
    },
  },
};`;

test("a legacy channel package is set up by the same wizard, with its secrets in the vault", async () => {
  await install("old-chat", legacy);
  const { step } = await wizard.setups.begin("ada", "old-chat");
  expect(step).toMatchObject({ kind: "form", instructions: "Which number?" });
  await wizard.answer("old-chat", { kind: "values", values: { service: phone.url, number: "+49 1" } });
  await wizard.until("old-chat", (shown) => shown.kind === "external" && shown.qrText === phone.qrOf(1));
  phone.scan();
  await wizard.until("old-chat", (shown) => shown.kind === "done");
  expect(row("old-chat")).toMatchObject({
    enabled: true,
    config: { channel: { account: "+49 1", bot_token: reference("OLD_CHAT_BOT_TOKEN") } },
    setupState: { finished: { credentials: "OLD_CHAT_CREDENTIALS" } },
  });
  expect(world.vault.resolve("OLD_CHAT_BOT_TOKEN", "ada")).toBe(phone.latest.token);
  expect(world.pool.view("ada", "old-chat").state).toBe("running");
  expect(world.logTexts("ada", "old-chat")).toEqual(
    expect.arrayContaining(["begun for ada", "linked as +49 1 with identityKey"]),
  );
});

test("a legacy channel package that is cancelled is told so, and nothing is kept", async () => {
  await install("old-chat", legacy);
  const { id } = await wizard.setups.begin("ada", "old-chat");
  await wizard.answer("old-chat", { kind: "values", values: { service: phone.url } });
  await wizard.setups.cancel("ada", "old-chat", id);
  expect(phone.latest.status).toBe("cancelled");
  expect(row("old-chat")).toBeUndefined();
  expect(world.vault.list()).toEqual([]);
});

test("a code that expires gives way to the next one by itself; none left is an error with a way back", async () => {
  await world.install("phone");
  phone.goodForMs = 150;
  await wizard.setups.begin("ada", "phone");
  const first = await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
  expect(first.step).toMatchObject({ kind: "external", qrText: phone.qrOf(1) });
  phone.rotate();
  const second = await wizard.until(
    "phone",
    (step) => step.kind === "external" && step.qrText === phone.qrOf(2),
  );
  expect(second.step.id).not.toBe(first.step.id);
  if (second.step.kind === "external") {
    const { shownAt, expiresAt } = second.step;
    expect(Date.parse(expiresAt ?? "") - Date.parse(shownAt)).toBe(150);
  }
  phone.expire();
  await wizard.until("phone", (step) => step.kind === "error");
  expect(wizard.step("phone", "error")).toMatchObject({
    problem: { code: "SETUP_FAILED", message: "No code was scanned in time." },
    canRetry: true,
  });
  expect(world.vault.list()).toEqual([]);
  expect((await wizard.answer("phone", { kind: "retry" })).step.kind).toBe("form");
});
