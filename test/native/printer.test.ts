import { afterEach, beforeEach, expect, test } from "vitest";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld, textOf } from "../support/pool-world.ts";

let world: PoolWorld;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.pool.boot();
  await world.install("printer");
  await world.enable("ada", "printer");
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

test("a plugin without a channel finds nothing of channels in its context", async () => {
  const names = textOf(await world.call("ada", "printer__context")).split(" ");
  expect(names.toSorted()).toEqual([
    "agentId",
    "ask",
    "credentialStore",
    "logger",
    "oauth",
    "on",
    "reportRuntimeError",
    "reportRuntimeState",
    "secrets",
    "signal",
    "storage",
    "workspace",
  ]);
});

const inTurn = { turnId: "t1", spanId: "s7" };
const printed = () =>
  world.pool
    .logs("ada", "printer")
    .filter(({ origin }) => origin !== "patchbay")
    .map(({ seq: _seq, at: _at, ...line }) => line);

test("what is printed during a call carries the call, once, in order and ahead of the answer", async () => {
  await world.until(() => printed().length === 1);
  expect(printed()).toEqual([{ level: "info", origin: "stdout", text: "printed while starting" }]);
  expect(textOf(await world.call("ada", "printer__print", {}, inTurn))).toBe("printed");
  const line = (level: string, origin: string, text: string) => ({ level, origin, text, call: inTurn });
  expect(printed().slice(1)).toEqual([
    line("info", "stdout", "one of 2 { a: [ 1 ] }"),
    line("info", "stdout", "told"),
    line("info", "stdout", "two"),
    line("info", "stdout", "lines"),
    line("error", "stderr", "careful"),
    line("error", "stderr", "only printed"),
  ]);
  await world.disable("ada", "printer");
  expect(printed()).toHaveLength(7);
});

test("of a flood of prints no line is kept twice, and the call still ends", async () => {
  expect(textOf(await world.call("ada", "printer__flood", {}, inTurn))).toBe("flooded");
  await world.disable("ada", "printer");
  const flood = printed().flatMap(({ text }) => (text.endsWith("zz") ? [text] : []));
  expect(flood.length).toBeGreaterThan(0);
  expect(new Set(flood).size).toBe(flood.length);
});

test("what is printed right before the process ends is not lost", async () => {
  await expect(world.call("ada", "printer__die", {}, inTurn)).rejects.toMatchObject({
    code: "HOST_CRASHED",
    details: { exitCode: 3, output: "the last words" },
  });
});
