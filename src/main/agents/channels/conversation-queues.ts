import { PatchbayError } from "../../../contract/index.ts";

/** Messages that may wait in one conversation. */
const MOST_WAITING = 200;

interface Queue {
  tail: Promise<unknown>;
  waiting: number;
}

/** Work on one conversation is done one after the other, on different ones side by side. */
export class ConversationQueues {
  readonly #queues = new Map<string, Queue>();

  /** @throws PatchbayError RATE_LIMITED when too much waits already */
  checkRoom(conversation: string): void {
    if ((this.#queues.get(conversation)?.waiting ?? 0) < MOST_WAITING) return;
    throw new PatchbayError("RATE_LIMITED", `More than ${MOST_WAITING} messages wait in this conversation.`, {
      help: "Send it again when some of them are answered.",
    });
  }

  /** @throws PatchbayError RATE_LIMITED when too much waits already, ABORTED when `signal` is aborted before its turn comes */
  async run<T>(conversation: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    let queue = this.#queues.get(conversation);
    if (!queue) {
      queue = { tail: Promise.resolve(), waiting: 0 };
      this.#queues.set(conversation, queue);
    }
    if (queue.waiting >= MOST_WAITING) {
      throw new PatchbayError(
        "RATE_LIMITED",
        `More than ${MOST_WAITING} messages wait in this conversation.`,
        {
          help: "Send it again when some of them are answered.",
        },
      );
    }
    queue.waiting += 1;
    const result = queue.tail.then(() => {
      if (signal.aborted)
        throw new PatchbayError("ABORTED", "The message was taken back before its turn came.");
      return work();
    });
    queue.tail = result.catch(() => {});
    try {
      return await result;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.#queues.delete(conversation);
    }
  }
}
