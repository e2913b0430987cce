import { afterEach, beforeEach, expect, test } from "vitest";
import type { Effect } from "../../src/contract/index.ts";
import type { CallScope, PluginCall } from "../../src/main/runtimes/plugin-call.ts";
import { hostBundle } from "../support/host-bundle.ts";
import { PoolWorld } from "../support/pool-world.ts";

let world: PoolWorld;

beforeEach(async () => {
  world = await PoolWorld.open({ bundleDir: hostBundle() });
  await world.agent("ada");
  await world.pool.boot();
  await world.install("effects");
});
afterEach(async () => {
  await world.close();
  expect(world.alive()).toEqual([]);
});

/** What a call asks for beside its answer, and how it ends. */
async function asked(call: PluginCall) {
  const effects: Effect[] = [];
  const scope: CallScope = {
    sessionId: "s",
    caller: { kind: "owner" },
    signal: AbortSignal.timeout(10_000),
    timeoutMs: 10_000,
    turnId: null,
    spanId: null,
    effects: (list) => void effects.push(...list),
  };
  const [end] = await Promise.allSettled([world.pool.call("ada", "effects", call, scope)]);
  return { effects, end: end.status };
}

function tool(input: Record<string, unknown>): PluginCall {
  return { kind: "tool", name: "effects__ask", input, toolCallId: "c", onUpdate: () => {} };
}

const all = [
  ["nextModel", "small"],
  ["thinkingLevel", "low"],
  ["stopAfterTurn"],
  ["steer", "steer"],
  ["followUp", "follow"],
  ["run", "run"],
  ["notify", "seen"],
  ["notify", "bad", "error"],
  ["entry", "todo", { open: 1 }, { display: false }],
  ["customMessage", "hello", { type: "card", lines: [{ color: "green", text: "hello" }] }],
  ["session.label", "e1", "start"],
  ["session.fork", "e1"],
  ["session.navigate", "e1"],
  ["session.new"],
  ["session.switch", "abc"],
];
const everything: Effect[] = [
  { kind: "nextModel", model: "small" },
  { kind: "thinkingLevel", level: "low" },
  { kind: "stopAfterTurn" },
  { kind: "steer", text: "steer" },
  { kind: "followUp", text: "follow" },
  { kind: "run", text: "run" },
  { kind: "notify", text: "seen", level: "info" },
  { kind: "notify", text: "bad", level: "error" },
  { kind: "entry", type: "todo", data: { open: 1 }, display: false },
  {
    kind: "customMessage",
    type: "card",
    content: "hello",
    display: true,
    lines: [{ color: "green", text: "hello" }],
  },
  { kind: "session", request: { op: "label", id: "e1", label: "start" } },
  { kind: "session", request: { op: "fork", id: "e1", position: "at" } },
  { kind: "session", request: { op: "navigate", id: "e1" } },
  { kind: "session", request: { op: "new" } },
  { kind: "session", request: { op: "switch", prefix: "abc" } },
];

test("tools, commands and hooks ask with every method, and each arrives as it was meant", async () => {
  await world.enable("ada", "effects", { hooks: { asks: { "turn.end@v1": [all] } } });
  expect(await asked(tool({ list: all }))).toEqual({ effects: everything, end: "fulfilled" });
  const command = { kind: "command", name: "ask", args: JSON.stringify(all) } as const;
  expect(await asked(command)).toEqual({ effects: everything, end: "fulfilled" });
  const { id: hookId = "", event = "" } = world.pool.live("ada").hooks[0] ?? {};
  const hook = { kind: "hook", hookId, event, payload: {} } as const;
  expect(await asked(hook)).toEqual({ effects: everything, end: "fulfilled" });
  expect(await asked(hook)).toEqual({ effects: [], end: "fulfilled" });
});

test("what was asked for before a failure still counts", async () => {
  await world.enable("ada", "effects");
  const { effects, end } = await asked(tool({ list: [["notify", "before"]], fail: true }));
  expect(effects).toEqual([{ kind: "notify", text: "before", level: "info" }]);
  expect(end).toBe("rejected");
});

test("what is asked for after the answer is lost, and the log says so", async () => {
  await world.enable("ada", "effects");
  expect(await asked(tool({ list: [], late: true }))).toEqual({ effects: [], end: "fulfilled" });
  const line = "`effects`: the plugin asked for `notify` after its answer; it was lost.";
  await world.until(() => world.logTexts("ada", "effects").includes(line));
});

test("more than a hundred at once are cut, and what is no effect is left out", async () => {
  await world.enable("ada", "effects");
  const many = Array.from({ length: 500 }, (_, at) => ["notify", `${at}`]);
  expect((await asked(tool({ list: many }))).effects).toHaveLength(100);
  expect((await asked(tool({ list: [["thinkingLevel", "none"]] }))).effects).toEqual([]);
  expect(world.logTexts("ada", "effects").slice(-2)).toEqual([
    expect.stringMatching(/^Effects asked .*only the first 100 count/),
    expect.stringMatching(/^Effects asked .*`thinkingLevel` was left out/),
  ]);
});
