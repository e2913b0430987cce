import { create } from "zustand";

/** The place in the record that a person looks at; every tab of the Debug page shows the same. */
export interface ChosenTurn {
  /** Null: the newest turn of the open conversation. A turn that it does not have stands for the newest one, too. */
  turnId: string | null;
  /** The record's `spanId` of what is looked at, or the id of a `TraceSpan`; null: nothing is. */
  spanId: string | null;
  /** Instead of a span: the tool call that is to be found in the turn. */
  toolCallId: string | null;
  /** Instead of a span: what went wrong or was changed in the turn outside of its tool calls is to be found. */
  culprit: Culprit | null;
}

/** What of a turn is asked about: how it ended, what became of its message, or an answer. */
export type Culprit = { kind: "end" } | { kind: "message" } | { kind: "answer"; messageId: string };

const newest: ChosenTurn = { turnId: null, spanId: null, toolCallId: null, culprit: null };

const useChosen = create<Record<string, ChosenTurn>>()(() => ({}));

export function useChosenTurn(agentId: string): ChosenTurn {
  return useChosen((state) => state[agentId] ?? newest);
}

/** Chooses a turn, and what to look at in it. Without `turnId` the newest turn is followed again. */
export function chooseTurn(agentId: string, chosen: Partial<ChosenTurn>): void {
  useChosen.setState({ [agentId]: { ...newest, ...chosen } });
}
