import type { SessionEntry } from "../../../contract/index.ts";

/**
 * The lines to append to a session when the app died in the middle of a turn: a result for every tool call that has
 * none, and the end of the turn.
 */
export function repairsFor(entries: readonly SessionEntry[], at: string): SessionEntry[] {
  const turnId = openTurn(entries);
  if (turnId === undefined) return [];
  return [
    ...missingResults(entries, turnId, at),
    {
      type: "turn_end",
      turnId,
      outcome: "aborted",
      problem: { code: "ABORTED", message: "Patchbay ended before this turn was finished." },
      at,
    },
  ];
}

/** A result for every tool call of a turn that has none: providers refuse a conversation with an unanswered call. */
export function missingResults(
  entries: readonly SessionEntry[],
  turnId: string,
  at: string,
): Extract<SessionEntry, { type: "tool_result" }>[] {
  const answered = new Set<string>();
  const called: { id: string; name: string }[] = [];
  for (const entry of entries) {
    if (entry.type === "tool_result" && entry.turnId === turnId) answered.add(entry.toolCallId);
    if (entry.type === "assistant" && entry.turnId === turnId) called.push(...entry.toolCalls);
  }
  return called
    .filter((call) => !answered.has(call.id))
    .map((call) => ({
      type: "tool_result",
      id: `${turnId}-${call.id}-interrupted`,
      turnId,
      toolCallId: call.id,
      tool: call.name,
      outcome: "failed",
      content: [interrupted],
      at,
    }));
}

/** What the model reads as the result of a call whose real result was lost. */
export const interrupted = {
  type: "text" as const,
  text: "The call was interrupted before its result was known. It may or may not have had an effect.",
};

function openTurn(entries: readonly SessionEntry[]): string | undefined {
  let open: string | undefined;
  for (const entry of entries) {
    if (entry.type === "user") open = entry.turnId;
    if (entry.type === "turn_end" && entry.turnId === open) open = undefined;
  }
  return open;
}
