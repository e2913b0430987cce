import type { AgentEventName } from "@patchbay/plugin-sdk";
import type { HookInfo } from "../../../../contract/index.ts";

/**
 * The hooks of dirge, and the events of an agent at which Patchbay calls each. This is the whole table; `hook-calls.ts` makes the
 * context of each and reads what it did. A hook that needs several events learns from some of them what it is told at another.
 */
export const firedAt = {
  "on-init": ["agent.started@v1"],
  "before-agent-start": ["prompt.assemble@v1"],
  // What it returns is a hint, which stands in the system prompt of that turn.
  "on-prompt": ["session.message.received@v1", "prompt.assemble@v1"],
  "transform-context": ["model.before@v1"],
  "on-turn-start": ["model.before@v1"],
  "on-message-update": ["model.before@v1", "message.delta@v1"],
  "on-tool-start": ["tool.before@v1"],
  "on-tool-end": ["tool.result@v1"],
  "on-turn-end": ["model.before@v1", "model.after@v1", "run.prepare@v1", "run.end@v1"],
  "on-error": ["turn.end@v1"],
  // Only an answer without tool calls is the response; that is known from the first of the two events.
  "on-response": ["model.after@v1", "message.final@v1"],
  "message-end": ["model.after@v1", "message.final@v1"],
  "on-complete": ["run.end@v1"],
  "prepare-next-run": ["run.end@v1"],
  "on-before-compact": ["compact.before@v1"],
  "on-compact": ["compact.summary@v1"],
} as const satisfies Record<string, readonly AgentEventName[]>;

export type DirgeHook = keyof typeof firedAt;
/** The agent events at which hooks of dirge can be called. */
export type FiringEvent = (typeof firedAt)[DirgeHook][number];

export const dirgeHooks = Object.keys(firedAt) as DirgeHook[];

export function isDirgeHook(name: string): name is DirgeHook {
  return Object.hasOwn(firedAt, name);
}

const SECOND = 1_000;

/** Milliseconds that one function may take, without the time in which a dialog that it opened waits for the person. */
export function limitOf(hook: DirgeHook): number {
  switch (hook) {
    case "on-tool-start":
    case "on-tool-end":
      return 5 * SECOND;
    case "transform-context":
    case "on-before-compact":
    case "on-compact":
      return 10 * SECOND;
    default:
      return 30 * SECOND;
  }
}

/** The agent events, each once, at which these hooks are called. */
export function eventsOf(hooks: Iterable<DirgeHook>): FiringEvent[] {
  return [...new Set([...hooks].flatMap((hook) => firedAt[hook]))];
}

/** By when the host itself ends a function that takes too long, and says so. */
const GRACE_MS = 2 * SECOND;

/**
 * One subscription for each agent event; its id is the event's name.
 * @param preparesTools whether a tool of the plugin has its arguments prepared, which happens where calls are judged
 */
export function subscriptions(
  hooks: ReadonlySet<DirgeHook>,
  { guards, preparesTools }: { guards: "block" | "allow"; preparesTools: boolean },
): HookInfo[] {
  const events = new Set<FiringEvent>(eventsOf(hooks));
  if (preparesTools) events.add("tool.before@v1");
  return [...events].map((event) => {
    const called = [...hooks].filter((hook) => (firedAt[hook] as readonly string[]).includes(event));
    const own = called.reduce((sum, hook) => sum + limitOf(hook), 0);
    const judges = event === "tool.before@v1" && hooks.has("on-tool-start");
    return {
      id: event,
      event,
      priority: 100,
      timeoutMs: (own === 0 ? 30 * SECOND : own) + GRACE_MS,
      failureMode: judges && guards === "block" ? "fail" : "skip",
    };
  });
}
