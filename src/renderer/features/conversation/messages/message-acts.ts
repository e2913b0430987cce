import type { Attached } from "../../../../contract/conversation/attached.ts";

/** What the person can do with what was said. The object stays the same for as long as a conversation is shown. */
export interface MessageActs {
  /** Sends a message in the place of that of a turn, which stays as another version. */
  rewrite(turnId: string, text: string, attachments: readonly Attached[]): void;
  /** Goes to another version. @param leaf the entry at which the conversation then goes on */
  goTo(leaf: string): void;
  /** Has what was said put together, and asks what was asked last once more. */
  compactAndAsk(): void;
  /** Stops what is under way. */
  stop(): void;
}
