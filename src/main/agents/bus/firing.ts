import {
  type AgentEventName,
  type AgentEventPayloads,
  agentEventShapes,
  isAgentEventName,
} from "@patchbay/plugin-sdk";
import {
  type FiredHook,
  fromProblem,
  type LogEntry,
  PatchbayError,
  type RecordEvent,
} from "../../../contract/index.ts";
import type { AgentPool } from "../ports.ts";
import { hookTraceOf } from "../record/project-tool.ts";
import { Span } from "../record/recorder.ts";
import type { EventBus } from "./event-bus.ts";
import type { HookScope } from "./hook-scope.ts";

export interface Fired {
  /** After all changes. */
  payload: unknown;
  denied: { owner: string; reason: string } | null;
  hooks: FiredHook[];
}

interface Firing {
  agentId: string;
  event: string;
  /** What the developer typed. */
  input: Record<string, unknown>;
  scope: HookScope;
}

/**
 * Fires an event by hand. @throws PatchbayError EVENT_UNKNOWN; HOOK_BLOCKED, with what each hook did until then as `hooks` in
 * its details
 */
export async function fireByHand(
  bus: EventBus,
  { changes }: Pick<AgentPool, "changes">,
  { agentId, event, input, scope }: Firing,
): Promise<Fired> {
  if (!isAgentEventName(event)) {
    throw new PatchbayError("EVENT_UNKNOWN", `There is no agent event named "${event}".`);
  }
  const { recorder } = scope.span;
  const onLog = (of: string, owner: string, { level, origin, text }: LogEntry) => {
    const asked =
      of === agentId && recorder.events.findLast((one) => one.type === "hook_asked" && one.owner === owner);
    if (!asked) return;
    const span = new Span(recorder, asked.spanId, asked.parentId);
    recorder.recordNoise(span, { type: "log", owner, level, origin, text });
  };
  changes.on("log", onLog);
  try {
    const payload = { sessionId: scope.sessionId, ...input, agentId } as never;
    const answer = await dispatch(bus, event, payload, scope);
    return { ...answer, hooks: firedHooks(recorder.events) };
  } catch (error) {
    if (!(error instanceof PatchbayError) || error.code !== "HOOK_BLOCKED") throw error;
    const problem = error.toProblem();
    const hooks = firedHooks(recorder.events);
    throw fromProblem({ ...problem, details: { ...problem.details, hooks } });
  } finally {
    changes.off("log", onLog);
  }
}

async function dispatch<E extends AgentEventName>(
  bus: EventBus,
  event: E,
  payload: AgentEventPayloads[E],
  scope: HookScope,
): Promise<Omit<Fired, "hooks">> {
  switch (agentEventShapes[event]) {
    case "listener":
      await bus.emit(event, payload, scope);
      return { payload, denied: null };
    case "transform": {
      const { payload: after, dropped } = await bus.transform(event, payload, scope);
      const denied = dropped && { owner: dropped.by, reason: dropped.reason || "it dropped the message" };
      return { payload: after, denied };
    }
    case "veto": {
      const result = await bus.veto(event, payload, scope);
      if (result.allowed) return { payload: result.payload, denied: null };
      return { payload, denied: { owner: result.owner, reason: result.reason } };
    }
  }
}

/** Most lines of one hook's plugin that are given back. */
const MOST_LINES = 200;

function firedHooks(events: readonly RecordEvent[]): FiredHook[] {
  return events.flatMap((event) => {
    if (event.type !== "hook_answered") return [];
    const logs = events
      .filter((one) => one.type === "log")
      .filter(({ spanId }) => spanId === event.spanId)
      .map(({ level, origin, text }) => ({ level, origin, text }));
    return [{ ...hookTraceOf(events, event), ...(logs.length > 0 && { logs: logs.slice(0, MOST_LINES) }) }];
  });
}
