import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SetupStep } from "../../src/contract/index.ts";
import { IDLE_MS } from "../../src/main/setup/flow/endings.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { IdentityProvider } from "../support/identity-provider.ts";
import { PhoneSimulator } from "../support/phone.ts";
import { PoolWorld, reference } from "../support/pool-world.ts";
import { SetupWorld } from "../support/setup-world.ts";

let world: PoolWorld;
let wizard: SetupWorld;
let clock: FakeClock;
let phone: PhoneSimulator;
let provider: IdentityProvider;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  phone = await PhoneSimulator.open();
  provider = await IdentityProvider.open();
  await world.agent("ada");
  for (const fixture of ["phone", "mail", "legacy-channel"]) await world.install(fixture);
  clock = new FakeClock();
  wizard = new SetupWorld(world, clock);
});
afterEach(async () => {
  await wizard.close();
  await world.close();
  await phone.close();
  await provider.close();
});

interface Step {
  name: string;
  key: string;
  reach(): Promise<unknown>;
  /** It has a process of the plugin, whose end is an error of this step. */
  hasHost: boolean;
}

const begin = (key: string, input: Record<string, unknown> = {}) =>
  wizard.setups.begin("ada", key, { input: { issuer: provider.issuer, ...input } });
const reachCode = async () => {
  await begin("phone");
  await wizard.answer("phone", { kind: "values", values: { service: phone.url, pin: "pin-4711" } });
};

/** Scans the code of an account with which the service is asked whether the plugin may go on. */
const scanHeld = async (place: "checked" | "started") => {
  phone.account = "+held";
  phone.hold(place);
  await reachCode();
  phone.scan();
  wizard.setups.poll("ada", "phone", wizard.view("phone").id).catch(() => {});
};
const isDoing = (doing: string) => (step: SetupStep) => step.kind === "progress" && step.doing === doing;

/** Every step that a person can be left at before anything is kept. */
const steps: Step[] = [
  { name: "opening", key: "phone", hasHost: true, reach: async () => void begin("phone", { mode: "hangs" }) },
  { name: "a form", key: "phone", hasHost: true, reach: () => begin("phone") },
  { name: "a choice", key: "phone", hasHost: true, reach: () => begin("phone", { mode: "asks" }) },
  {
    name: "checking",
    key: "phone",
    hasHost: true,
    async reach() {
      await begin("phone");
      wizard.answer("phone", { kind: "values", values: { service: "hangs" } }).catch(() => {});
      await wizard.until("phone", isDoing("checking"));
    },
  },
  { name: "a code to scan", key: "phone", hasHost: true, reach: reachCode },
  {
    name: "a poll that failed",
    key: "phone",
    hasHost: true,
    async reach() {
      await reachCode();
      phone.failures = ["500"];
      await wizard.setups.poll("ada", "phone", wizard.view("phone").id);
    },
  },
  {
    name: "what could not be saved",
    key: "phone",
    hasHost: false,
    async reach() {
      await scanHeld("checked");
      await wizard.until("phone", isDoing("saving"));
      clock.advance(world.settings.limits.startMs);
      await wizard.until("phone", (step) => step.kind === "error");
    },
  },
  { name: "an error", key: "phone", hasHost: false, reach: () => begin("phone", { mode: "throws" }) },
  { name: "a sign-in in the browser", key: "mail", hasHost: true, reach: () => begin("mail") },
  {
    name: "a sign-in by device code",
    key: "mail",
    hasHost: true,
    async reach() {
      await begin("mail");
      await wizard.answer("mail", { kind: "way", way: "device" });
    },
  },
  { name: "settings", key: "legacy-chat", hasHost: false, reach: () => begin("legacy-chat") },
];

/** What a process holds that listens or waits for the time. */
const openThings = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === "TCPServerWrap" || kind === "ProcessWrap")
    .length;
/** Nobody tells of what is waited for here, such as the end of a process of another process. */
const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 30_000, interval: 5 });
const homeFiles = async (): Promise<{ name: string; text: string }[]> => {
  const entries = await readdir(world.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.sort().map(async (name) => ({ name, text: await readFile(name, "utf8") })));
};
const row = (key: string) => world.agentPlugins.get("ada", key);

async function expectNothingLeft(key: string, before: { open: number; timers: number }): Promise<void> {
  await until(() => world.alive().length === 0);
  await until(() => openThings() <= before.open);
  expect(clock.waiting).toBe(before.timers);
  expect(wizard.setups.list()).toEqual([]);
  expect(row(key)).toBeUndefined();
  expect(world.vault.list()).toEqual([]);
  await world.agentPlugins.flush();
  const files = await homeFiles();
  // Copies of before may say that it was open, never what was typed.
  expect(files.filter(({ text }) => text.includes("pin-4711"))).toEqual([]);
  const rows = files.filter(({ name }) => name.endsWith("agent-plugins.json"));
  expect(rows.filter(({ text }) => text.includes(`"${key}"`))).toEqual([]);
}

describe.each(steps)("at $name", ({ key, reach }) => {
  test("cancelling leaves no process, listener, timer, row or secret", async () => {
    const before = { open: openThings(), timers: clock.waiting };
    await reach();
    await until(() => wizard.setups.list().length === 1);
    await wizard.setups.cancel("ada", key, wizard.view(key).id);
    await expectNothingLeft(key, before);
  });

  test("being left alone for too long lets go of everything, and is over once it was seen", async () => {
    const before = { open: openThings(), timers: clock.waiting };
    await reach();
    await until(() => wizard.setups.list().length === 1);
    clock.advance(IDLE_MS);
    await until(() => wizard.setups.list().length === 0 || wizard.view(key).step.kind === "error");
    await until(() => world.alive().length === 0);
    await until(() => openThings() <= before.open);
    if (wizard.setups.list().length > 0) clock.advance(IDLE_MS);
    await until(() => wizard.setups.list().length === 0 && row(key) === undefined);
    await expectNothingLeft(key, before);
  });

  test("quitting leaves no process, listener or timer, and writes nothing but that it was open", async () => {
    const before = { open: openThings(), timers: clock.waiting };
    await reach();
    await until(() => wizard.setups.list().length === 1);
    await wizard.setups.close();
    await until(() => world.alive().length === 0);
    await until(() => openThings() <= before.open);
    expect(clock.waiting).toBe(before.timers);
    expect(row(key)).toMatchObject({ enabled: false, config: {}, setupState: { finished: null } });
    expect(world.vault.list()).toEqual([]);
    // The next start offers it again; put away there, the row goes too.
    await wizard.restart();
    await wizard.setups.cancel("ada", key, wizard.view(key).id);
    await expectNothingLeft(key, before);
  });
});

test.each(steps.filter(({ hasHost }) => hasHost))(
  "at $name, killing the plugin's process is an error with a way back that leaves nothing",
  async ({ key, reach }) => {
    const before = { open: openThings(), timers: clock.waiting };
    await reach();
    await until(() => world.alive().length === 1);
    for (const pid of world.alive()) process.kill(pid, "SIGKILL");
    await wizard.until(key, (step) => step.kind === "error");
    expect(wizard.step(key, "error")).toMatchObject({ problem: { code: "HOST_CRASHED" }, canRetry: true });
    await until(() => openThings() <= before.open);
    await wizard.setups.cancel("ada", key, wizard.view(key).id);
    await expectNothingLeft(key, before);
  },
);

/** Saving, starting and being done: what was finished is kept, however the wizard ends. */
const kept: { name: string; place: "checked" | "started" | null; reach: (step: SetupStep) => boolean }[] = [
  { name: "saving", place: "checked", reach: isDoing("saving") },
  { name: "starting", place: "started", reach: isDoing("starting") },
  { name: "done", place: null, reach: (step) => step.kind === "done" },
];

describe.each(kept)("at $name", ({ place, reach }) => {
  let before: { open: number; timers: number };

  beforeEach(async () => {
    before = { open: openThings(), timers: clock.waiting };
    await scanHeld(place ?? "checked");
    if (place === null) phone.letGo("checked");
    await wizard.until("phone", reach);
  });

  const letGo = () => {
    if (place) phone.letGo(place);
  };

  /** The plugin runs, set up whole; of its wizard nothing is left. */
  async function expectOnlyThePlugin(): Promise<void> {
    await world.until(() => world.pool.view("ada", "phone").state === "running");
    await until(() => world.alive().length === 1);
    // The one that is left is the plugin's own process.
    await until(() => openThings() <= before.open + 1);
    expect(clock.waiting).toBe(before.timers);
    expect(wizard.setups.list()).toEqual([]);
    expect(row("phone")).toMatchObject({
      enabled: true,
      config: { channel: { account: "+held", session_token: reference("PHONE_SESSION_TOKEN") } },
      setupState: { finished: { account: "+held", credentials: "PHONE_CREDENTIALS" }, open: null },
    });
    expect(world.vault.resolve("PHONE_SESSION_TOKEN", "ada")).toBe(phone.latest.token);
    expect(world.vault.list()).toHaveLength(2);
    await world.agentPlugins.flush();
    const secrets = ["pin-4711", phone.latest.token, phone.latest.identityKey];
    const told = (await homeFiles()).filter(({ text }) => secrets.some((secret) => text.includes(secret)));
    expect(told).toEqual([]);
  }

  test("cancelling comes too late: it is set up whole, and nothing else is left", async () => {
    const cancelled = wizard.setups.cancel("ada", "phone", wizard.view("phone").id);
    letGo();
    await cancelled;
    await expectOnlyThePlugin();
  });

  test("being left alone ends the wizard alone", async () => {
    letGo();
    await wizard.until("phone", (step) => step.kind === "done");
    clock.advance(IDLE_MS);
    await until(() => wizard.setups.list().length === 0);
    await expectOnlyThePlugin();
  });

  test("quitting keeps it, and the next start offers nothing", async () => {
    const closed = wizard.setups.close();
    letGo();
    await closed;
    await wizard.restart();
    await expectOnlyThePlugin();
  });

  test("killing the plugin's process loses nothing of it", async () => {
    await until(() => world.alive().length === 1);
    for (const pid of world.alive()) process.kill(pid, "SIGKILL");
    letGo();
    await wizard.until("phone", (step) => step.kind === "done");
    expect(row("phone")).toMatchObject({ enabled: true, setupState: { finished: { account: "+held" } } });
    await wizard.setups.cancel("ada", "phone", wizard.view("phone").id);
    await world.pool.restart("ada", "phone");
    await expectOnlyThePlugin();
  });
});

test("left alone and quit at once, it is over: the next start does not offer it again", async () => {
  await begin("legacy-chat");
  clock.advance(IDLE_MS);
  await wizard.until("legacy-chat", ({ kind }) => kind === "error");
  clock.advance(IDLE_MS);
  await wizard.restart();
  expect(wizard.setups.list()).toEqual([]);
  expect(row("legacy-chat")).toBeUndefined();
});

test("cancelled while its row is being written, it leaves no row", async () => {
  const { agentPlugins } = world;
  const write = agentPlugins.set.bind(agentPlugins);
  const slowly = vi.spyOn(agentPlugins, "set").mockImplementationOnce(async (...args) => {
    await until(() => wizard.audit.some(({ kind }) => kind === "setup.cancelled"));
    return write(...args);
  });
  const opening = begin("legacy-chat");
  await wizard.setups.cancel("ada", "legacy-chat", wizard.view("legacy-chat").id);
  await opening;
  expect(slowly).toHaveBeenCalledOnce();
  expect(wizard.setups.list()).toEqual([]);
  expect(row("legacy-chat")).toBeUndefined();
});

test("it is shown until its row is gone; one that is opened meanwhile comes after it, with a row of its own", async () => {
  const { id: first } = await begin("legacy-chat");
  const ending = wizard.setups.cancel("ada", "legacy-chat", first);
  const rowGone = new Promise<string | undefined>((resolve) => {
    world.agentPlugins.changes.once("forgotten", () => resolve(wizard.setups.get("ada", "legacy-chat")?.id));
  });
  const { id: second } = await begin("legacy-chat");
  await ending;
  expect(await rowGone).toBe(first);
  expect(second).not.toBe(first);
  expect(row("legacy-chat")?.setupState).toMatchObject({ open: { id: second } });
});

test("a plugin that is switched on while its wizard is put away keeps its row, without the wizard", async () => {
  const { id } = await begin("legacy-chat");
  const { owner } = wizard;
  const forget = owner.forgetUntouched.bind(owner);
  const later = vi.spyOn(owner, "forgetUntouched").mockImplementationOnce(async (...place) => {
    await owner.switch("ada", "legacy-chat", true);
    await forget(...place);
  });
  await wizard.setups.cancel("ada", "legacy-chat", id);
  expect(later).toHaveBeenCalledOnce();
  expect(row("legacy-chat")).toMatchObject({ enabled: true, setupState: null });
});
