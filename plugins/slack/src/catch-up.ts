import type { PluginStorage } from "@patchbay/plugin-sdk";
import { type ChannelClock, ChannelFailure, pause, untilAnswered } from "@patchbay/plugin-sdk/channel";
import type { WebClient } from "@slack/web-api";
import { slackFailure } from "./errors.ts";
import { messageSchema, type SlackEvent } from "./receive.ts";

const KEY = "slack.last";
/** Channels whose newest message is remembered; the one that was quiet the longest is forgotten first. */
const MOST_CHANNELS = 50;
/** Missed messages that are read in one channel at most. */
const MOST_MESSAGES = 200;
/** Milliseconds between two writes of the newest time stamps. */
const STORE_EVERY_MS = 1_000;

/**
 * Finds messages that were written in a channel since the last one seen there. Slack delivers missed messages again,
 * but not without limit and not in order.
 */
export class CatchUp {
  readonly #storage: PluginStorage;
  readonly #clock: ChannelClock;
  /** Channel id → time stamp of its newest message. The channel that was quiet the longest comes first. */
  #last = new Map<string, string>();
  #storing = false;

  constructor(storage: PluginStorage, clock: ChannelClock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** The channels in which something may have been missed, with the time stamp of what was seen last. */
  async marks(): Promise<[channel: string, last: string][]> {
    const stored = ((await this.#storage.get(KEY)) ?? {}) as Record<string, string>;
    this.#last = new Map([...Object.entries(stored), ...this.#last]);
    return [...this.#last];
  }

  /**
   * The messages of a channel after `oldest`, in order. Empty when Slack refuses; while it fails it is asked again, because
   * what is said later must not be answered first.
   *
   * @throws ChannelFailure when Slack goes on failing, or the connection is closed
   */
  async missed(channel: string, oldest: string, web: WebClient, signal: AbortSignal): Promise<SlackEvent[]> {
    const ask = () =>
      web.conversations.history({ channel, oldest, limit: MOST_MESSAGES }).catch((error: unknown) => {
        throw slackFailure(error);
      });
    try {
      const { messages } = await untilAnswered(this.#clock, signal, ask);
      return (messages ?? []).reverse().flatMap((message) => {
        const { data } = messageSchema.safeParse({ ...message, type: "message", channel });
        return data ?? [];
      });
    } catch (error) {
      if (error instanceof ChannelFailure && error.kind === "refused") return [];
      throw error;
    }
  }

  saw({ channel, ts }: SlackEvent): void {
    const before = this.#last.get(channel);
    this.#last.delete(channel);
    this.#last.set(channel, before !== undefined && Number(before) > Number(ts) ? before : ts);
    if (this.#last.size > MOST_CHANNELS) this.#last.delete(this.#last.keys().next().value as string);
    // A process that dies before a new channel is stored would never look for what is missed there.
    void (before === undefined ? this.#store() : this.#storeSoon());
  }

  async #storeSoon(): Promise<void> {
    if (this.#storing) return;
    this.#storing = true;
    await pause(this.#clock, STORE_EVERY_MS);
    this.#storing = false;
    await this.#store();
  }

  async #store(): Promise<void> {
    try {
      await this.#storage.set(KEY, Object.fromEntries(this.#last));
    } catch {
      // A failed write is not repeated here: the next message writes again.
    }
  }
}
