import { expect, test } from "vitest";
import type { RecordEvent, RecordFact } from "../record.ts";
import { traceOf } from "./spans.ts";

const owner = { kind: "owner" } as const;

/** Events of one turn; each is one millisecond after the one before. */
function turn(...facts: [spanId: string, parentId: string | null, fact: RecordFact][]): RecordEvent[] {
  return facts.map(([spanId, parentId, fact], seq) => ({
    turnId: "t",
    seq,
    spanId,
    parentId,
    at: 1_000 + seq,
    ...fact,
  })) as RecordEvent[];
}

const begun: RecordFact = {
  type: "turn_begun",
  v: 1,
  sessionId: "s",
  agentId: "a",
  text: "Tidy up",
  caller: owner,
  world: null,
};
const called: RecordFact = {
  type: "tool_called",
  toolCallId: "c",
  tool: "shell",
  title: "shell",
  owner: null,
  caller: owner,
  arguments: {},
};

test("a tool call has its hooks, its approval and its run inside of it", () => {
  const { spans } = turnTrace();
  expect(spans.map(({ id, kind, state, begin, end }) => [id, kind, state, begin, end])).toEqual([
    ["0", "turn", "done", 1_000, 1_010],
    ["1", "tool", "done", 1_001, 1_009],
    ["2", "hook", "changed", 1_003, 1_004],
    ["1/approval", "approval", "done", 1_005, 1_006],
    ["1/run", "run", "done", 1_007, 1_008],
  ]);
});

test("what runs when Patchbay ends is cut", () => {
  const events = turn(
    ["0", null, begun],
    ["1", "0", called],
    ["0", null, { type: "turn_ended", outcome: "failed", text: "", problem: null, cut: true }],
  );
  expect(traceOf(events).spans.map(({ state, end }) => [state, end])).toEqual([
    ["cut", 1_002],
    ["cut", 1_002],
  ]);
});

function turnTrace() {
  const hook = { event: "tool.before@v1", owner: "confirm", hookId: "h" };
  return traceOf(
    turn(
      ["0", null, begun],
      ["1", "0", called],
      ["1", "0", { type: "tool_judged", toolCallId: "c", owner: null, effect: "ask", rule: "default" }],
      ["2", "1", { type: "hook_asked", ...hook, payload: {} }],
      ["2", "1", { type: "hook_answered", ...hook, decision: "rewrote", after: {} }],
      ["1", "0", { type: "approval_asked", toolCallId: "c", approvalId: "p" }],
      [
        "1",
        "0",
        {
          type: "approval_answered",
          toolCallId: "c",
          approvalId: "p",
          status: "allowed",
          scope: "once",
          decidedBy: owner,
          reason: null,
        },
      ],
      ["1", "0", { type: "tool_started", toolCallId: "c" }],
      ["1", "0", { type: "tool_answered", toolCallId: "c", output: null, problem: null }],
      [
        "1",
        "0",
        {
          type: "tool_ended",
          id: "e",
          toolCallId: "c",
          tool: "shell",
          outcome: "executed",
          result: null,
          problem: null,
        },
      ],
      ["0", null, { type: "turn_ended", outcome: "done", text: "", problem: null }],
    ),
  );
}

test("a pause is a stretch beside what it stood before, and says whether something was changed", () => {
  const paused = { type: "paused", where: "tool", title: "shell", owner: null, breakpoint: null } as const;
  const resumed = { type: "resumed", action: "continue", by: owner } as const;
  const { spans } = traceOf(
    turn(
      ["0", null, begun],
      ["1", "0", called],
      ["1", "0", paused],
      ["1", "0", { ...resumed, paused: 2, edit: { before: {}, after: {} } }],
      ["1", "0", paused],
      ["1", "0", { ...resumed, paused: 4 }],
      ["1", "0", paused],
    ),
  );
  expect(
    spans.slice(2).map(({ id, kind, name, state, begin, end }) => [id, kind, name, state, begin, end]),
  ).toEqual([
    ["1/pause/2", "pause", "shell", "changed", 1_002, 1_003],
    ["1/pause/4", "pause", "shell", "done", 1_004, 1_005],
    ["1/pause/6", "pause", "shell", "running", 1_006, null],
  ]);
});
