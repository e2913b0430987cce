import { PatchbayError } from "../../../contract/index.ts";
import { KeyedQueue } from "../../base/serial-queue.ts";

/** Messages that may wait in one conversation. */
const MOST_WAITING = 200;

/** Work on one conversation is done one after the other, on different ones side by side. */
export class ConversationQueues {
  private readonly queues = new KeyedQueue();

  /** @throws PatchbayError RATE_LIMITED when too much waits already */
  checkRoom(conversation: string): void {
    if (this.queues.size(conversation) < MOST_WAITING) return;
    throw new PatchbayError("RATE_LIMITED", `More than ${MOST_WAITING} messages wait in this conversation.`, {
      help: "Send it again when some of them are answered.",
    });
  }

  /** @throws PatchbayError RATE_LIMITED when too much waits already, ABORTED when `signal` is aborted before its turn comes */
  async run<T>(conversation: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.checkRoom(conversation);
    return this.queues.run(conversation, async () => {
      if (signal.aborted)
        throw new PatchbayError("ABORTED", "The message was taken back before its turn came.");
      return work();
    });
  }
}
