import type { SessionEntry, TurnEvent } from "../../../contract/index.ts";
import { missingResults } from "../sessions/repair.ts";
import type { LiveSession } from "../sessions/session.ts";
import { runProblem } from "./agent-run.ts";
import type { TurnEnd } from "./turn-input.ts";

/** The turn at the end of a conversation that failed or was stopped, with the message that it was to answer; undefined when there is none. */
export function failedTurn(entries: readonly SessionEntry[]): { turnId: string; text: string } | undefined {
  const asked = entries.findLast((entry) => entry.type === "user");
  const end = entries.findLast((entry) => entry.type === "turn_end");
  if (!asked || asked.aside || !end || end.turnId !== asked.turnId || end.outcome === "done")
    return undefined;
  return { turnId: asked.turnId, text: asked.text };
}

/**
 * Ends a turn that failed outside of its own error handling: those who watch are told, and its stored lines are
 * completed.
 */
export async function breakOff(
  session: LiveSession,
  turnId: string,
  error: unknown,
  at: string,
): Promise<TurnEnd> {
  const { type: _type, turnId: _id, ms: _ms, ...end } = endedBy(turnId, error);
  const { outcome, problem } = end;
  const missing = missingResults(session.entries, turnId, at);
  const isStored = session.entries.some((entry) => entry.type === "user" && entry.turnId === turnId);
  // The disk may be the cause of the failure. The lines are then completed when the session is opened again.
  if (isStored)
    await session.append(...missing, { type: "turn_end", turnId, outcome, problem, at }).catch(() => {});
  session.publish(endedBy(turnId, error));
  return end;
}

/** The end of a turn that could not report one. */
export function endedBy(turnId: string, error: unknown): Extract<TurnEvent, { type: "turn_ended" }> {
  return { type: "turn_ended", turnId, outcome: "failed", text: "", problem: runProblem(error), ms: 0 };
}
