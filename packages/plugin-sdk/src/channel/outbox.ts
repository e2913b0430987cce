import { type ChannelClock, pause } from "./clock.ts";
import { type ChannelFailure, failureOf } from "./failure.ts";
import type { OutboxEntry } from "./journal.ts";
import { type AnswerBody, gone, Sender, type SenderParts } from "./sender.ts";

export type { AnswerBody } from "./sender.ts";

export interface Delivery {
  /** Platform ids of all messages of the entry; null for a message without an id. */
  messageIds: (string | null)[];
}

export interface OutboxParts extends SenderParts {
  clock: ChannelClock;
  signal: AbortSignal;
  /** Resolves when the channel is connected. */
  connected(): Promise<void>;
  /** A call failed because the connection is gone, or in a way that ends the channel. */
  onFailure(failure: ChannelFailure): void;
  /** An entry was sent. */
  onSent(entry: OutboxEntry): void;
  /** An entry will never be sent. */
  onGivenUp(entry: OutboxEntry, failure: ChannelFailure): void;
}

/** Somebody who wants to know what becomes of an entry. */
interface Waiting {
  resolve(delivery: Delivery): void;
  reject(error: unknown): void;
  onAway: (() => void) | undefined;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
const MOST_UNFORESEEN = 8;
/** How long a message waits for somebody who is away; milliseconds. */
const MOST_AWAY_MS = 24 * 60 * 60_000;

/** Sends the messages that wait: those of one conversation in order, different conversations at the same time. */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #conversations = new Map<string, Promise<void>>();
  readonly #bodies = new Map<string, AnswerBody>();
  /** Entries of an earlier process that wait for their bodies, which the agent is asked for again. */
  readonly #missing = new Map<string, (body: AnswerBody) => void>();
  readonly #underWay = new Set<string>();
  /** Ends the pause of a conversation whose person is away. */
  readonly #away = new Map<string, AbortController>();
  readonly #sender: Sender;
  readonly #waiting = new Map<string, Waiting>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#sender = new Sender(parts);
  }

  /**
   * Continues with the messages that an earlier process did not send, in their order. An entry that was stored without
   * its text waits for `supply`.
   */
  resume(): void {
    for (const entry of this.#parts.journal.outbox.values()) this.#enqueue(entry);
  }

  /** Whether no message waits to be sent in this conversation. */
  isIdle(conversation: string): boolean {
    return !this.#conversations.has(conversation);
  }

  get length(): number {
    return this.#parts.journal.outbox.size;
  }

  /**
   * Adds an entry at the end of its conversation's queue. It is in the journal at once and stored soon after.
   *
   * @param again an earlier process may have put in the same entry, sent the first message of it, and died before any of
   *   that was stored
   */
  put(entry: OutboxEntry, body: AnswerBody, again = false): void {
    if (again) this.#sender.doubt(entry.id);
    // The time of day, which histories are searched by, and not that of the channel's clock.
    else entry.at = Date.now();
    this.#parts.journal.putOutbox(entry);
    this.#bodies.set(entry.id, body);
    this.#enqueue(entry);
  }

  /** Gives an entry of an earlier process the text that was too large to store. */
  supply(entry: OutboxEntry, body: AnswerBody): void {
    this.#bodies.set(entry.id, body);
    this.#missing.get(entry.id)?.(body);
  }

  /** Removes an entry of which nothing was sent yet. False when it is being sent already. */
  drop(entry: OutboxEntry): boolean {
    if (this.#underWay.has(entry.id) || entry.sent.length > 0) return false;
    this.#remove(entry);
    this.#waiting.delete(entry.id);
    return true;
  }

  /** Removes what waits in a conversation whose person is gone; of what is being sent the rest. Returns how many messages. */
  dropAll(conversation: string): number {
    const dropped = this.#dropWhere((entry) => entry.conversation === conversation);
    this.back(conversation);
    return dropped;
  }

  /** Removes the answers that wait to be sent to a person; of what is being sent the rest. */
  dropOf(userId: string): void {
    this.#dropWhere((entry) => entry.userId === userId);
  }

  #dropWhere(isGone: (entry: OutboxEntry) => boolean): number {
    const waiting = [...this.#parts.journal.outbox.values()].filter(isGone);
    for (const entry of waiting) {
      this.#remove(entry);
      this.#waiting.get(entry.id)?.reject(gone());
      this.#waiting.delete(entry.id);
    }
    return waiting.length;
  }

  /** The person of a conversation, who was away, is there again. */
  back(conversation: string): void {
    this.#away.get(conversation)?.abort();
  }

  /**
   * Resolves when the entry was sent, rejects with a ChannelFailure when it never will be.
   *
   * @param onAway called each time that the person turns out to be away; the entry waits for them
   */
  delivered(id: string, onAway?: () => void): Promise<Delivery> {
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, onAway }));
  }

  #enqueue(entry: OutboxEntry): void {
    const before = this.#conversations.get(entry.conversation) ?? Promise.resolve();
    const now = before.then(() => this.#deliver(entry));
    this.#conversations.set(entry.conversation, now);
    void now.finally(() => {
      if (this.#conversations.get(entry.conversation) === now) this.#conversations.delete(entry.conversation);
    });
  }

  /** Sends an entry, with retries. Resolves when it was sent, was given up, or the channel stops. Never rejects. */
  async #deliver(entry: OutboxEntry): Promise<void> {
    const { journal, clock, signal } = this.#parts;
    const body = await this.#bodyOf(entry);
    let unforeseen = 0;
    for (let wait = FIRST_RETRY_MS; !signal.aborted; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      await this.#parts.connected();
      if (signal.aborted || !journal.outbox.has(entry.id)) return;
      const sentBefore = entry.sent.length;
      try {
        this.#underWay.add(entry.id);
        await this.#sender.sendRest(entry, body);
        this.#finish(entry);
        // What follows in the conversation waits for this, so that after a crash one message at most is sent again.
        await journal.stored().catch(() => {});
        return;
      } catch (error) {
        this.#underWay.delete(entry.id);
        if (signal.aborted || !journal.outbox.has(entry.id)) return;
        const failure = failureOf(error);
        if (failure.kind === "away" && !this.#isTooLate(entry)) {
          this.#waiting.get(entry.id)?.onAway?.();
          await this.#pauseAway(entry, Math.max(failure.retryAfterMs ?? 0, wait));
          continue;
        }
        if (failure.kind === "refused" || failure.kind === "nobody" || failure.kind === "away") {
          this.#giveUp(entry, failure);
          return;
        }
        if (entry.sent.length > sentBefore) wait = FIRST_RETRY_MS;
        if (failure.kind !== "rate-limited") {
          this.#sender.doubt(entry.id);
          this.#parts.onFailure(failure);
        }
        // An error that is no ChannelFailure may come at each try, for ever. After some tries the entry is given up, so
        // that the rest of the conversation is sent.
        unforeseen = failure === error ? 0 : unforeseen + 1;
        if (unforeseen >= MOST_UNFORESEEN) {
          this.#giveUp(entry, failure);
          return;
        }
        await pause(clock, Math.max(failure.retryAfterMs ?? 0, wait), signal);
      }
    }
  }

  #isTooLate(entry: OutboxEntry): boolean {
    const { clock, journal } = this.#parts;
    entry.awaySince ??= clock.now();
    journal.putOutbox(entry);
    return clock.now() - entry.awaySince > MOST_AWAY_MS;
  }

  async #pauseAway({ conversation }: OutboxEntry, ms: number): Promise<void> {
    const { clock, signal } = this.#parts;
    const back = new AbortController();
    this.#away.set(conversation, back);
    await pause(clock, ms, AbortSignal.any([signal, back.signal]));
    this.#away.delete(conversation);
  }

  async #bodyOf(entry: OutboxEntry): Promise<AnswerBody> {
    const body = this.#bodies.get(entry.id);
    if (body) return body;
    if (entry.text !== null && !entry.hasFiles) return { text: entry.text, files: [] };
    return new Promise((resolve) => this.#missing.set(entry.id, resolve));
  }

  #finish(entry: OutboxEntry): void {
    this.#remove(entry);
    this.#parts.onSent(entry);
    this.#waiting.get(entry.id)?.resolve({ messageIds: entry.sent });
    this.#waiting.delete(entry.id);
  }

  #giveUp(entry: OutboxEntry, failure: ChannelFailure): void {
    this.#remove(entry);
    this.#parts.onGivenUp(entry, failure);
    this.#waiting.get(entry.id)?.reject(failure);
    this.#waiting.delete(entry.id);
  }

  #remove(entry: OutboxEntry): void {
    this.#bodies.delete(entry.id);
    this.#missing.delete(entry.id);
    this.#underWay.delete(entry.id);
    this.#sender.forget(entry.id);
    this.#parts.journal.removeOutbox(entry.id);
    if (entry.inbox !== undefined) this.#parts.journal.removeInbox(entry.inbox);
  }
}
