import { type AgentEventName, type AgentEventPayloads, agentEventShapes } from "@patchbay/plugin-sdk";
import { isObject, PatchbayError } from "../../../contract/index.ts";
import { type PauseDesk, type PausePoint, pauseAt, type WentOn } from "../pause/desk.ts";
import { afterTheFact } from "./after-the-fact.ts";
import type { LiveHook } from "./hook-index.ts";
import type { HookScope } from "./hook-scope.ts";
import { fieldsOf, withChange } from "./payloads.ts";

/** What became of a hook that a turn was stopped before: it is told of this payload, or passed over. */
type Passed<P> = { kind: "told"; payload: P; edited: boolean } | { kind: "skipped" };

/**
 * Stops before a hook is told of an event, if somebody wants that. Hooks on pieces of an answer are not part of the record,
 * so nothing stops there. A hook that may refuse is never passed over.
 * @throws PatchbayError ABORTED when the person stopped the turn
 */
export async function pauseBeforeHook<E extends AgentEventName>(
  desk: PauseDesk,
  agentId: string,
  hook: LiveHook,
  event: E,
  payload: AgentEventPayloads[E],
  scope: HookScope,
): Promise<Passed<AgentEventPayloads[E]>> {
  const plain = { kind: "told", payload, edited: false } as const;
  if (event === "message.delta@v1") return plain;
  let went: WentOn | undefined;
  try {
    went = await pauseAt(desk, pointOf(agentId, hook, event, payload, scope));
  } catch (error) {
    // What it tells of has happened already, so nothing is left to be stopped but the hook.
    if (afterTheFact.has(event)) return { kind: "skipped" };
    throw error;
  }
  if (!went) return plain;
  if (went.action === "skip") return { kind: "skipped" };
  if (went.edit?.where !== "hook") return plain;
  const changed = withChange(event, payload, went.edit.payload);
  return typeof changed === "string" ? plain : { kind: "told", payload: changed, edited: true };
}

function pointOf<E extends AgentEventName>(
  agentId: string,
  { owner, id }: LiveHook,
  event: E,
  payload: AgentEventPayloads[E],
  { sessionId, caller, span, signal, until }: HookScope,
): PausePoint {
  const fields = fieldsOf(event);
  const shown = { ...payload } as Record<string, unknown>;
  return {
    where: "hook",
    agentId,
    sessionId,
    caller,
    title: event,
    tool: "toolName" in shown ? { name: String(shown.toolName), callId: String(shown.toolCallId) } : null,
    plugin: owner,
    hook: { event, id },
    span,
    signal: until ?? signal,
    canEdit: fields.length > 0,
    canSkip: agentEventShapes[event] !== "veto",
    facts: () => ({ ...shown, event, plugin: owner, caller, payload: shown }),
    subject: () => ({ where: "hook", payload: shown }),
    more: () => ({ fields }),
    check: (edit) => {
      if (edit.where !== "hook" || !isObject(edit.payload)) return;
      const why = withChange(event, payload, edit.payload);
      if (typeof why === "string")
        throw new PatchbayError("PAUSE_MISFIT", `The hook cannot be told of this: ${why}.`, {
          details: { problems: [{ field: why.split(" ")[0], message: why.split(" ").slice(1).join(" ") }] },
        });
    },
  };
}
