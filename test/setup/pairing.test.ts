import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostBundle } from "../support/host-bundle.ts";
import { PhoneSimulator } from "../support/phone.ts";
import { callScope, PoolWorld, reference } from "../support/pool-world.ts";
import { SetupWorld } from "../support/setup-world.ts";

let world: PoolWorld;
let wizard: SetupWorld;
let phone: PhoneSimulator;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle(), limits: { startMs: 2_000 } });
  phone = await PhoneSimulator.open();
  await world.agent("ada");
  await world.install("phone");
  wizard = new SetupWorld(world);
});
afterEach(async () => {
  await wizard.close();
  await world.pool.close();
  const left = world.alive();
  await world.close();
  await phone.close();
  expect(left).toEqual([]);
});

const row = () => world.agentPlugins.get("ada", "phone");
const begin = (input = {}, again = false) => wizard.setups.begin("ada", "phone", { input, again });

async function pair(): Promise<void> {
  await begin({}, true);
  await wizard.answer("phone", { kind: "values", values: { service: phone.url, pin: "pin-4711" } });
  phone.scan();
  await wizard.until("phone", (step) => step.kind === "done");
}

/** Everything in the home folder, as text. */
async function filesOfHome(): Promise<string> {
  const names = await readdir(world.home, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).join(
    "\n",
  );
}

describe("a plugin that is paired by QR code", () => {
  test("is asked, scanned, saved, switched on and running, and no secret stands in a file", async () => {
    const form = await begin();
    expect(form).toMatchObject({
      reason: "first",
      step: { kind: "form", title: "Find the service", step: 0 },
    });
    expect(world.logTexts("ada", "phone")).toContain("begun because first, for chats in de");
    const paired = await wizard.answer("phone", {
      kind: "values",
      values: { service: phone.url, pin: "pin-4711", delay: "3" },
    });
    expect(paired.step).toMatchObject({
      kind: "external",
      qrText: phone.qrOf(1),
      attempt: { number: 1, of: 6 },
    });
    expect(paired.trail).toEqual([{ kind: "form", title: "Find the service" }]);
    expect(row()).toMatchObject({ enabled: false, config: {} });
    expect(world.vault.list()).toEqual([]);

    phone.rotate();
    await wizard.until("phone", (step) => step.kind === "external" && step.qrText === phone.qrOf(2));
    phone.scan();
    const done = await wizard.until("phone", (step) => step.kind === "done");
    expect(done.step).toMatchObject({ account: phone.account });

    expect(row()).toMatchObject({
      enabled: true,
      config: { channel: { service: phone.url, session_token: reference("PHONE_SESSION_TOKEN") } },
      setupState: { finished: { account: phone.account, credentials: "PHONE_CREDENTIALS" }, open: null },
    });
    expect(world.pool.view("ada", "phone")).toMatchObject({ state: "running" });
    await world.until(() => row()?.runtimeState !== null);
    expect(row()?.runtimeState).toEqual({ account: phone.account, keys: ["identityKey"] });
    await world.agentPlugins.flush();
    const { token, identityKey } = phone.latest;
    const everything = [
      await filesOfHome(),
      JSON.stringify(done),
      world.logTexts("ada", "phone").join("\n"),
    ].join("\n");
    for (const secret of [token, identityKey, "pin-4711"]) expect(everything).not.toContain(secret);
  });

  test("keeps hand-set settings and changes its secret in one step when it is set up again", async () => {
    await pair();
    const first = row()?.config as { channel: Record<string, unknown> };
    await world.change("ada", "phone", { config: { channel: { ...first.channel, allowed: ["eva"] } } });
    await pair();
    expect(row()?.config).toMatchObject({
      channel: { allowed: ["eva"], session_token: reference("PHONE_SESSION_TOKEN_2") },
    });
    expect(
      world.vault
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["PHONE_CREDENTIALS_2", "PHONE_SESSION_TOKEN_2"]);
    expect(world.vault.resolve("PHONE_SESSION_TOKEN_2", "ada")).toBe(phone.latest.token);
  });

  test("is offered to be signed in again by itself when it says that its credentials were refused", async () => {
    await pair();
    const message = { sessionId: "s", to: "x", text: "log me out" };
    await world.pool.call("ada", "phone", { kind: "send", message }, callScope());
    await world.until(() => row()?.lastError?.code === "CREDENTIALS_REFUSED");
    expect(await begin()).toMatchObject({ reason: "sign_in_again", step: { kind: "form" } });
  });

  test("goes on after a poll that fails five times, saying so meanwhile", async () => {
    await begin();
    phone.failures = ["500", "html"];
    // The first look is part of the answer; it fails and the wizard offers to try again.
    const failed = await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
    expect(failed.step).toMatchObject({ kind: "error", problem: { code: "SETUP_FAILED" }, canRetry: true });
    phone.failures = [];
    const anew = await wizard.answer("phone", { kind: "retry" });
    expect(anew).toMatchObject({ step: { kind: "form" }, trail: [] });
    await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
    phone.failures = ["500", "html", "hang-up", "500", "500"];
    const { id } = wizard.view("phone");
    for (const failures of [1, 2, 3, 4, 5]) {
      const { step } = await wizard.setups.poll("ada", "phone", id);
      expect(step).toMatchObject({ kind: "external", poll: { failures } });
    }
    phone.scan();
    expect((await wizard.setups.poll("ada", "phone", id)).step.kind).toBe("done");
  });

  test("refuses an answer to a step that is over, and one that lacks what is required", async () => {
    const { step } = await begin();
    await expect(wizard.answer("phone", { kind: "values", values: {} })).rejects.toMatchObject({
      code: "BAD_INPUT",
    });
    await expect(
      wizard.answer("phone", { kind: "values", values: { service: phone.url, delay: "soon" } }),
    ).rejects.toMatchObject({ details: { fields: [{ path: "delay" }] } });
    await expect(wizard.answer("phone", { kind: "retry" })).rejects.toMatchObject({
      code: "BAD_INPUT",
      message:
        'This step of the setup expects "values": what is typed into its fields. It cannot be answered with "retry".',
      details: { expected: ["values"], given: "retry" },
    });
    await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
    await expect(wizard.answer("phone", { kind: "values", values: {} }, step.id)).rejects.toMatchObject({
      code: "SETUP_STALE",
    });
    expect(wizard.step("phone", "external").qrText).toBe(phone.qrOf(1));
  });

  test("is one wizard, however often it is opened", async () => {
    const [first, second] = await Promise.all([begin(), begin()]);
    expect(second.id).toBe(first.id);
    expect((await begin()).id).toBe(first.id);
    const again = await begin({}, true);
    expect(again.id).not.toBe(first.id);
    await expect(wizard.setups.poll("ada", "phone", first.id)).rejects.toMatchObject({
      code: "SETUP_NOT_FOUND",
    });
  });

  test("leaves nothing behind when it is cancelled, on its own side neither", async () => {
    const { id } = await begin();
    await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
    expect(world.alive()).toHaveLength(1);
    await wizard.setups.cancel("ada", "phone", id);
    await wizard.setups.cancel("ada", "phone", id);
    expect(phone.latest.status).toBe("cancelled");
    expect(world.alive()).toEqual([]);
    expect(row()).toBeUndefined();
    expect(wizard.setups.list()).toEqual([]);
  });

  test("says that it was interrupted after a restart of the app, and starts again", async () => {
    await begin();
    await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
    await wizard.restart();
    expect(phone.latest.status).toBe("cancelled");
    expect(wizard.step("phone", "error").problem.code).toBe("SETUP_INTERRUPTED");
    expect((await wizard.answer("phone", { kind: "retry" })).step.kind).toBe("form");
  });

  test.each([
    ["throws", "SETUP_FAILED", "closed on Sundays"],
    ["hangs", "SETUP_TIMEOUT", "did not answer within 2 seconds"],
    ["nonsense", "SETUP_INVALID", "does not understand"],
    ["exits", "HOST_CRASHED", "ended"],
    ["unsafe", "SETUP_INVALID", "not https"],
  ])("whose begin %s is an error with a way back, and no process", async (mode, code, words) => {
    const { step } = await begin({ mode });
    expect(step).toMatchObject({ kind: "error", problem: { code }, canRetry: true });
    expect(wizard.step("phone", "error").problem.message).toContain(words);
    expect(world.alive()).toEqual([]);
  });

  test("that is refused on the phone, or whose settings are refused, saves nothing", async () => {
    await begin();
    await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
    phone.refuse();
    await wizard.until("phone", (step) => step.kind === "error");
    expect(wizard.step("phone", "error").problem.message).toBe("The phone refused the link.");
    phone.account = "+blocked";
    await wizard.answer("phone", { kind: "retry" });
    await wizard.answer("phone", { kind: "values", values: { service: phone.url } });
    phone.scan();
    const { step } = await wizard.until("phone", (shown) => shown.kind === "error");
    expect(step).toMatchObject({ problem: { code: "CONFIG_REFUSED" } });
    expect(row()).toMatchObject({ enabled: false, config: {} });
    expect(world.vault.list()).toEqual([]);
  });

  test("whose process is killed in the middle says so", async () => {
    await begin();
    const [pid] = world.alive();
    process.kill(pid as number, "SIGKILL");
    const { step } = await wizard.until("phone", (shown) => shown.kind === "error");
    expect(step).toMatchObject({ problem: { code: "HOST_CRASHED" } });
  });
});
