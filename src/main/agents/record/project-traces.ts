import type { ModelCallTrace, RecordEvent, RecordEventOf, TraceEntry } from "../../../contract/index.ts";
import { isoOf } from "../../base/clock.ts";
import { between, hookTraceOf, toolTraceOf } from "./project-tool.ts";

/** The calls and hooks of the recorded turns, one trace entry for each. */
export function tracesOf(events: readonly RecordEvent[]): TraceEntry[] {
  const traces: TraceEntry[] = [];
  let turn: RecordEvent[] = [];
  for (const event of events) {
    if (turn.length > 0 && turn[0]?.turnId !== event.turnId) turn = [];
    turn.push(event);
    const trace = traceOf(event, turn);
    if (trace) traces.push(trace);
  }
  return traces;
}

/** The trace entry that is complete with the newest event of a turn; undefined when none is. */
function traceOf(event: RecordEvent, turn: readonly RecordEvent[]): TraceEntry | undefined {
  const { turnId } = event;
  switch (event.type) {
    case "message_received":
      return { type: "turn", turnId, at: isoOf(event.at), text: event.text };
    case "model_answered":
      return { type: "model", turnId, call: modelCallOf(event, turn) };
    case "tool_ended":
      return { type: "tool", turnId, call: toolTraceOf(turn, event.spanId) };
    case "hook_answered": {
      const ofTool = turn.some((one) => one.type === "tool_called" && one.spanId === event.parentId);
      // The hooks of a tool call are part of the call's own entry.
      return ofTool ? undefined : { type: "hook", turnId, hook: hookTraceOf(turn, event) };
    }
    case "turn_ended": {
      const ms = between(turn[0]?.at ?? event.at, event.at);
      return { type: "turn_end", turnId, at: isoOf(event.at), outcome: event.outcome, ms };
    }
    default:
      return undefined;
  }
}

/** One model call, from its request and its answer. */
export function modelCallOf(
  answered: RecordEventOf<"model_answered">,
  turn: readonly RecordEvent[],
): ModelCallTrace {
  const { at, model, usage, stopReason, problem } = answered;
  const asked = turn.findLast((one) => one.type === "model_asked" && one.spanId === answered.spanId);
  const begin = asked?.at ?? at;
  const { index, messages, tools } =
    asked?.type === "model_asked" ? asked : { index: 0, messages: 0, tools: 0 };
  return {
    index,
    startedAt: isoOf(begin),
    ms: between(begin, at),
    model,
    usage,
    stopReason,
    messages,
    tools,
    problem,
  };
}
