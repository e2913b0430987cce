import type { AgentEventName } from "@patchbay/plugin-sdk";
import type { HookInfo } from "../../../../contract/index.ts";

/**
 * Flowly's fourteen hook events, and the events of an agent at which Patchbay fires each. Those without one do not fire in
 * Flowly either (specs/flowly.md, 3.2).
 */
export const firedAt = {
  pre_tool_call: ["tool.before@v1"],
  post_tool_call: ["tool.result@v1"],
  transform_tool_result: ["tool.result@v1"],
  transform_terminal_output: [],
  pre_llm_call: ["model.before@v1"],
  post_llm_call: [],
  pre_api_request: [],
  post_api_request: [],
  on_session_start: ["turn.start@v1"],
  on_session_end: ["turn.end@v1"],
  on_session_finalize: [],
  on_session_reset: [],
  subagent_stop: [],
  // A message comes through a channel or from the owner, never through both.
  pre_gateway_dispatch: ["channel.message.in@v1", "session.message.received@v1"],
} as const satisfies Record<string, readonly AgentEventName[]>;

export type FlowlyEvent = keyof typeof firedAt;
/** The agent events at which hooks of Flowly can fire. */
export type FiringEvent = (typeof firedAt)[FlowlyEvent][number];

/** Those that judge something: when one fails, what it judges does not happen, unless the person said otherwise. */
const guarding: ReadonlySet<string> = new Set<FiringEvent>([
  "tool.before@v1",
  "channel.message.in@v1",
  "session.message.received@v1",
]);

export function isFlowlyEvent(name: string): name is FlowlyEvent {
  return Object.hasOwn(firedAt, name);
}

/** The agent events, each once, at which these hooks of Flowly fire. Unknown names never do. */
export function eventsOf(flowly: Iterable<string>): FiringEvent[] {
  return [...new Set([...flowly].flatMap((name) => (isFlowlyEvent(name) ? firedAt[name] : [])))];
}

/** Flowly's events, of these, that fire at an agent event, in Flowly's order. */
export function flowlyEventsAt(event: string, registered: ReadonlySet<string>): FlowlyEvent[] {
  const all = Object.keys(firedAt).filter(isFlowlyEvent);
  return all.filter((name) => registered.has(name) && (firedAt[name] as readonly string[]).includes(event));
}

/**
 * One subscription for each agent event; its id is the event's name.
 * @param timeoutMs milliseconds for all callbacks of the plugin together
 */
export function subscriptions(
  flowly: Iterable<string>,
  { timeoutMs, guards }: { timeoutMs: number; guards: "block" | "allow" },
): HookInfo[] {
  return eventsOf(flowly).map((event) => ({
    id: event,
    event,
    priority: 100,
    timeoutMs,
    failureMode: guarding.has(event) && guards === "block" ? "fail" : "skip",
  }));
}
