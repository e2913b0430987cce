import { expect, test } from "vitest";
import { FakeClock } from "../../../../test/support/fake-clock.ts";
import type { RecordEvent } from "../../../contract/index.ts";
import { liveOf } from "./project-live.ts";
import { toolTraceOf } from "./project-tool.ts";
import { tracesOf } from "./project-traces.ts";
import { TurnRecorder } from "./recorder.ts";

function recorder() {
  const clock = new FakeClock();
  const taken: RecordEvent[] = [];
  const sink = { take: (event: RecordEvent) => void taken.push(event), stream: () => {} };
  return { clock, taken, turn: new TurnRecorder({ turnId: "t", clock, sink }) };
}

const owner = { kind: "owner" as const };
const call = { toolCallId: "c", tool: "p__x", title: "p.x", owner: "p", caller: owner };

test("events get their number, place and time, and are handed on at once", () => {
  const { clock, taken, turn } = recorder();
  turn.root.record({ type: "stop_asked" });
  clock.advance(5);
  const span = turn.root.child();
  span.child().record({ type: "model_speaking" });
  expect(taken).toMatchObject([
    { turnId: "t", seq: 0, spanId: "0", parentId: null },
    { turnId: "t", seq: 1, spanId: "2", parentId: "1" },
  ]);
  expect((taken[1]?.at ?? 0) - (taken[0]?.at ?? 0)).toBe(5);
});

test("what a plugin writes without end is counted instead of kept", () => {
  const { taken, turn } = recorder();
  const noise = { type: "log", owner: "p", level: "info", origin: "plugin", text: "x" } as const;
  for (let n = 0; n < 5_010; n += 1) turn.recordNoise(turn.root, noise);
  turn.closeNoise();
  expect(taken).toHaveLength(5_001);
  expect(taken.at(-1)).toMatchObject({ type: "left_out", logs: 10, progress: 0 });
});

test("a tool call reads as one trace: what changed it, who was asked, how long each part took", () => {
  const { clock, taken, turn } = recorder();
  const span = turn.root.child();
  span.record({ type: "tool_called", ...call, arguments: { n: 1 } });
  span.record({ type: "tool_judged", toolCallId: "c", owner: "p", effect: "ask", rule: "no rule" });
  const hook = { event: "tool.before@v1", owner: "g", hookId: "h" };
  const guard = span.child();
  guard.record({ type: "hook_asked", ...hook, payload: { args: { n: 1 } } });
  clock.advance(2);
  guard.record({ type: "hook_answered", ...hook, decision: "rewrote", after: { args: { n: 2 } } });
  span.record({ type: "tool_rewritten", toolCallId: "c", arguments: { n: 2 }, changedBy: ["g"] });
  span.record({ type: "approval_asked", toolCallId: "c", approvalId: "a" });
  clock.advance(10);
  const answer = {
    approvalId: "a",
    status: "allowed",
    scope: "once",
    decidedBy: owner,
    reason: null,
  } as const;
  span.record({ type: "approval_answered", toolCallId: "c", ...answer });
  span.record({ type: "tool_started", toolCallId: "c" });
  clock.advance(30);
  const result = { content: [{ type: "text", text: "done" }] };
  span.record({ type: "tool_answered", toolCallId: "c", output: result, problem: null });
  const end = { toolCallId: "c", tool: "p__x", outcome: "executed", result, problem: null } as const;
  const ended = span.record({ type: "tool_ended", id: "e", ...end });

  const trace = toolTraceOf(taken, span.id);

  expect(trace).toMatchObject({
    owner: "p",
    ms: 42,
    policy: { effect: "ask", rule: "no rule" },
    arguments: { n: 1 },
    finalArguments: { n: 2 },
    changedBy: ["g"],
    approval: { id: "a", status: "allowed", scope: "once", waitedMs: 10 },
    executeMs: 30,
    hooks: [
      { owner: "g", decision: "rewrote", ms: 2, before: { args: { n: 1 } }, after: { args: { n: 2 } } },
    ],
    outcome: "executed",
    result,
  });
  expect(liveOf(ended, taken)).toEqual({ type: "tool_ended", turnId: "t", toolCallId: "c", trace });
  expect(tracesOf(taken)).toEqual([{ type: "tool", turnId: "t", call: trace }]);
});
