import type { RecordEvent, RecordedTurn } from "../../../../contract/index.ts";

/** A recorded turn with all that is kept of it. */
export interface WholeTurn extends RecordedTurn {
  /** In order; large values are put together again. */
  record: RecordEvent[];
}

/** What is exported, and when. */
export interface Exported {
  agent: { id: string; name: string };
  session: { id: string; title: string };
  turns: readonly WholeTurn[];
  /** Of Patchbay. */
  version: string;
  /** Milliseconds since 1970. */
  at: number;
}
