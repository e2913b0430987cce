import type { PluginStorage } from "@patchbay/plugin-sdk";
import { type ChannelClock, ChannelFailure, pause, untilAnswered } from "@patchbay/plugin-sdk/channel";
import { type REST, Routes } from "discord.js";
import { discordFailure } from "./errors.ts";
import type { DiscordMessage } from "./receive.ts";

const KEY = "discord.last";
/** Channels whose newest message is remembered; the one that was quiet the longest is forgotten first. */
const MOST_CHANNELS = 50;
/** Messages of one request; Discord gives no more. */
const PAGE = 100;
/** Most requests for one channel: 500 missed messages are read at most. */
const MOST_PAGES = 5;
/** Milliseconds between two writes of the newest message ids. */
const STORE_EVERY_MS = 1_000;

/** Finds messages that were written while no session was open, because the gateway never delivers those. */
export class CatchUp {
  readonly #storage: PluginStorage;
  readonly #clock: ChannelClock;
  /** Channel id → id of its newest message. The channel that was quiet the longest comes first. */
  #last = new Map<string, string>();
  #storing = false;

  constructor(storage: PluginStorage, clock: ChannelClock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Reads the ids that an earlier process stored. Call it before the first session. */
  async load(): Promise<void> {
    const stored = ((await this.#storage.get(KEY)) ?? {}) as Record<string, string>;
    this.#last = new Map([...Object.entries(stored), ...this.#last]);
  }

  /** The channels in which something may have been missed, with the newest message that was seen. */
  marks(): [channel: string, last: string][] {
    return [...this.#last];
  }

  /**
   * The messages of a channel after `last`, oldest first. Ends early when Discord refuses; while it fails it is asked again,
   * because nobody else delivers them.
   *
   * @throws ChannelFailure when Discord goes on failing, or the session is closed
   */
  async *missed(
    channel: string,
    last: string,
    rest: REST,
    signal: AbortSignal,
  ): AsyncGenerator<DiscordMessage> {
    let after: string | undefined = last;
    for (let page = 0; page < MOST_PAGES && after !== undefined; page += 1) {
      const query = new URLSearchParams({ after, limit: String(PAGE) });
      const found = await this.answered(() => rest.get(Routes.channelMessages(channel), { query }), signal);
      const messages = ((found ?? []) as DiscordMessage[]).reverse();
      yield* messages;
      after = messages.length === PAGE ? messages.at(-1)?.id : undefined;
    }
  }

  /**
   * What Discord answers, asked again while it fails; null: it refuses.
   *
   * @throws ChannelFailure when Discord goes on failing, or the session is closed
   */
  async answered(request: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    const ask = () =>
      request().catch((error: unknown) => {
        throw discordFailure(error);
      });
    try {
      return await untilAnswered(this.#clock, signal, ask);
    } catch (error) {
      if (error instanceof ChannelFailure && error.kind === "refused") return null;
      throw error;
    }
  }

  saw({ channel_id: channel, id }: DiscordMessage): void {
    const before = this.#last.get(channel);
    this.#last.delete(channel);
    this.#last.set(channel, before !== undefined && BigInt(before) > BigInt(id) ? before : id);
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
