/** Where what is looked at was recorded. `turn`: null for a call outside of turns. */
export interface RecordPlace {
  agentId: string;
  turn: { sessionId: string; turnId: string } | null;
}
