import { z } from "zod";
import {
  type ContentPart,
  type Effect,
  effectSchema,
  type HookTrace,
  type PluginSaid,
  type RecordEvent,
  type RecordEventOf,
  type ToolTrace,
} from "../../../contract/index.ts";
import { isoOf } from "../../base/clock.ts";

/** The trace of a tool call, as screens and the command line show it, made from the events of its span. */
export function toolTraceOf(turn: readonly RecordEvent[], spanId: string): ToolTrace {
  const first = turn.findLastIndex((event) => event.type === "tool_called" && event.spanId === spanId);
  const called = turn[first];
  if (called?.type !== "tool_called") throw new Error(`there is no tool call ${spanId} in this turn`);
  const trace: ToolTrace = {
    toolCallId: called.toolCallId,
    tool: called.tool,
    title: called.title,
    owner: called.owner,
    caller: called.caller,
    startedAt: isoOf(called.at),
    ms: 0,
    policy: { effect: "deny", rule: "the tool is not there" },
    arguments: called.arguments,
    finalArguments: called.arguments,
    changedBy: [],
    approval: null,
    executeMs: null,
    hooks: [],
    ...(called.straight && { straight: true }),
    outcome: "failed",
    result: null,
    problem: null,
  };
  let askedAt = called.at;
  let startedAt = called.at;
  let overAt: number | undefined;
  for (let index = first + 1; index < turn.length; index += 1) {
    const event = turn[index] as RecordEvent;
    if (event.parentId === spanId) {
      // The call itself was over before the hooks on tool.after were asked.
      if (event.type === "hook_asked" && event.event === "tool.after@v1") overAt ??= event.at;
      if (event.type === "hook_answered") trace.hooks.push(hookTraceOf(turn, event));
    }
    if (event.spanId !== spanId) continue;
    switch (event.type) {
      case "tool_judged":
        trace.owner = event.owner;
        trace.title = event.title ?? trace.title;
        trace.policy = { effect: event.effect, rule: event.rule };
        break;
      case "tool_rewritten":
        if (event.byPerson) trace.editedByPerson ??= { before: trace.finalArguments };
        trace.finalArguments = event.arguments;
        trace.changedBy = event.changedBy;
        break;
      case "approval_known":
        trace.approval = {
          id: event.basis,
          status: "allowed",
          scope: event.basis === "session" ? "session" : "once",
          waitedMs: 0,
        };
        break;
      case "approval_asked":
        askedAt = event.at;
        break;
      case "approval_answered": {
        const { approvalId: id, status, scope } = event;
        trace.approval = { id, status, scope, waitedMs: between(askedAt, event.at) };
        break;
      }
      case "resumed":
        if (event.given !== undefined) trace.givenByPerson = true;
        break;
      case "tool_started":
        startedAt = event.at;
        break;
      case "tool_answered":
        trace.executeMs = between(startedAt, event.at);
        break;
      case "tool_ended":
        trace.ms = between(called.at, overAt ?? event.at);
        trace.outcome = event.outcome;
        trace.result = resultOf(event);
        trace.problem = event.problem;
        return Object.assign(trace, effectsIn(turn, spanId));
      default:
    }
  }
  return trace;
}

/** Who called which tool of which plugin, and how long it took. For places that do not need the whole trace. */
export function calledIn(turn: readonly RecordEvent[], end: RecordEvent) {
  let owner: string | null | undefined;
  let overAt = end.at;
  for (let index = turn.length - 1; index >= 0; index -= 1) {
    const event = turn[index] as RecordEvent;
    // The call itself was over before the hooks on tool.after were asked.
    if (event.type === "hook_asked" && event.parentId === end.spanId && event.event === "tool.after@v1") {
      overAt = event.at;
    }
    if (event.spanId !== end.spanId) continue;
    if (event.type === "tool_judged") owner ??= event.owner;
    if (event.type !== "tool_called") continue;
    const { tool, caller, at, straight } = event;
    return { tool, caller, owner: owner ?? event.owner, ms: between(at, overAt), straight };
  }
  throw new Error(`there is no tool call ${end.spanId} in this turn`);
}

/** What came out of a call; null when nothing did that could be read. */
export function resultOf({ result }: RecordEventOf<"tool_ended">): ToolTrace["result"] {
  // The pipeline wrote the result in this shape; large parts of it may be in blobs.
  return result as ToolTrace["result"];
}

/** What a plugin left in the conversation. */
export function saidIn({ said }: RecordEventOf<"plugin_said">): PluginSaid {
  // The core wrote it in this shape; large parts of it may be in blobs.
  return said as PluginSaid;
}

const effectsSchema = z.array(effectSchema);

/** What was asked for beside the answer to the call of a span; nothing when nothing was, or it is no longer kept. */
function effectsIn(turn: readonly RecordEvent[], spanId: string): { effects?: Effect[] } {
  const asked = turn.findLast((one) => one.type === "effects_asked" && one.spanId === spanId);
  if (asked?.type !== "effects_asked") return {};
  const parsed = effectsSchema.safeParse(asked.effects);
  return parsed.success ? { effects: parsed.data } : {};
}

/** What the model is given of a call's end. */
export function contentOf(event: RecordEventOf<"tool_ended">): ContentPart[] {
  const text = event.problem?.message ?? "The tool gave no answer.";
  return resultOf(event)?.content ?? [{ type: "text", text }];
}

/** One hook's part in what happened. */
export function hookTraceOf(
  turn: readonly RecordEvent[],
  answered: RecordEventOf<"hook_answered">,
): HookTrace {
  const { event, owner, hookId, decision, reason, after } = answered;
  const asked = turn.findLast((one) => one.type === "hook_asked" && one.spanId === answered.spanId);
  const begin = asked?.at ?? answered.at;
  return {
    event,
    owner,
    hookId,
    startedAt: isoOf(begin),
    ms: between(begin, answered.at),
    decision,
    ...(asked?.type === "hook_asked" && asked.stage && { stage: asked.stage }),
    ...(reason !== undefined && { reason }),
    ...effectsIn(turn, answered.spanId),
    ...(after !== undefined &&
      asked?.type === "hook_asked" && { before: brief(asked.payload), after: brief(after) }),
  };
}

/**
 * The payload in a list of traces: whole, or only its length when it has more than 32,768 characters of JSON, as a
 * whole conversation may.
 */
function brief(payload: unknown): unknown {
  const { length } = JSON.stringify(payload) ?? "";
  return length <= 32_768 ? payload : `[${length} characters]`;
}

/** Milliseconds, to the thousandth. */
export function between(begin: number, end: number): number {
  return Math.round((end - begin) * 1_000) / 1_000;
}
