import { expect, test } from "vitest";
import type { RecordEvent, RecordFact } from "../../../../../contract/record.ts";
import { traceOf } from "../../../../../contract/trace/spans.ts";
import { culpritOf } from "./culprit.ts";
import { figuresOf } from "./figures.ts";
import { filtered, showAll } from "./filter.ts";
import { panned, ticksOf, zoomed } from "./range.ts";
import { rowsOf } from "./rows.ts";

const owner = { kind: "owner" } as const;

/** Events of one turn; each is ten milliseconds after the one before. */
function turn(...facts: [spanId: string, parentId: string | null, fact: RecordFact][]): RecordEvent[] {
  return facts.map(([spanId, parentId, fact], seq) => ({
    turnId: "t",
    seq,
    spanId,
    parentId,
    at: 1_000 + seq * 10,
    ...fact,
  })) as RecordEvent[];
}

const about = { toolCallId: "c", tool: "shell" };
const confirm = { event: "tool.before@v1", owner: "confirm", hookId: "h" };
const guard = { event: "tool.before@v1", owner: "guard", hookId: "h" };

const events = turn(
  [
    "0",
    null,
    { type: "turn_begun", v: 1, sessionId: "s", agentId: "a", text: "Tidy", caller: owner, world: null },
  ],
  ["1", "0", { type: "model_asked", index: 0, messages: 1, tools: 1, request: null }],
  ["1", "0", { type: "model_speaking" }],
  [
    "1",
    "0",
    {
      type: "model_answered",
      model: "m",
      stopReason: null,
      usage: { input: 10, output: 2, cacheRead: 100, cacheWrite: 0 },
      problem: null,
      response: null,
    },
  ],
  ["2", "0", { type: "tool_called", ...about, title: "shell", owner: null, caller: owner, arguments: {} }],
  ["2", "0", { type: "tool_judged", toolCallId: "c", owner: null, effect: "ask", rule: "default" }],
  ["3", "2", { type: "hook_asked", ...confirm, payload: {} }],
  ["3", "2", { type: "log", owner: "confirm", level: "info", origin: "plugin", text: "narrowed it" }],
  ["3", "2", { type: "hook_answered", ...confirm, decision: "rewrote", after: {} }],
  ["4", "2", { type: "hook_asked", ...guard, payload: {} }],
  ["4", "2", { type: "hook_answered", ...guard, decision: "denied", reason: "No." }],
  ["2", "0", { type: "tool_ended", id: "e", ...about, outcome: "vetoed", result: null, problem: null }],
  ["0", null, { type: "turn_ended", outcome: "done", text: "", problem: null }],
);
const trace = traceOf(events);
const rows = rowsOf(trace, events);

test("each part stands below the one that contains it, in the order of their beginning", () => {
  expect(rows.map(({ id, depth, group, state }) => [id, depth, group, state])).toEqual([
    ["1", 0, "model", "done"],
    ["2", 0, "tool", "refused"],
    ["#5", 1, "approval", "done"],
    ["3", 1, "hook", "changed"],
    ["#7", 2, "log", "done"],
    ["4", 1, "hook", "refused"],
  ]);
  expect(rows[0]?.firstToken).toBe(1_020);
});

test("hooks of one event are counted: the n-th of m", () => {
  expect(trace.spans.flatMap(({ place }) => place ?? [])).toEqual([
    { n: 1, of: 2 },
    { n: 2, of: 2 },
  ]);
});

test("asked why about a call that was blocked, the hook that blocked it is shown, not the one that changed it", () => {
  expect(culpritOf(rows, events, { toolCallId: "c", culprit: null })?.id).toBe("4");
  expect(culpritOf(rows, events, { toolCallId: "other", culprit: null })).toBeNull();
});

test("what fits a filter is shown with what contains it", () => {
  const shown = (filter: Partial<typeof showAll>) =>
    filtered(rows, { ...showAll, ...filter }, ({ id }) => id).map(({ id }) => id);
  expect(shown({ groups: new Set(["log"]) })).toEqual(["2", "3", "#7"]);
  expect(shown({ owner: "guard" })).toEqual(["2", "4"]);
  expect(shown({ problems: true })).toEqual(["2", "4"]);
  expect(shown({ text: "#5" })).toEqual(["2", "#5"]);
});

test("the figures count tokens of all kinds, and times only once", () => {
  expect(figuresOf(trace, events, 0)).toEqual({
    turnMs: 120,
    modelMs: 20,
    tokens: 112,
    cost: null,
    calls: 1,
    toolMs: 0,
    waitedMs: 0,
  });
});

test("zooming keeps what is under the pointer, and never leaves the turn", () => {
  expect(zoomed({ from: 0, to: 1_000 }, 0.5, 500, 1_000)).toEqual({ from: 250, to: 750 });
  expect(zoomed({ from: 0, to: 100 }, 20, 100, 1_000)).toEqual({ from: 0, to: 1_000 });
  expect(panned({ from: 100, to: 300 }, -500, 1_000)).toEqual({ from: 0, to: 200 });
  expect(panned({ from: 100, to: 300 }, 5_000, 1_000)).toEqual({ from: 800, to: 1_000 });
});

test("the axis has round times", () => {
  expect(ticksOf({ from: 0, to: 5_060 }, 5)).toEqual([0, 2_000, 4_000]);
  expect(ticksOf({ from: 130, to: 180 }, 5)).toEqual([130, 140, 150, 160, 170, 180]);
});
