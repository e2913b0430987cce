import type { PluginLogger, PluginStorage } from "../manifest.ts";
import { type ChannelClock, pause } from "./clock.ts";
import type { InboxEntry, OutboxEntry } from "./entries.ts";
import { ChannelFailure } from "./failure.ts";
import { Seen } from "./seen.ts";

export type { InboxEntry, OutboxEntry } from "./entries.ts";

interface QueueState {
  inbox: InboxEntry[];
  outbox: OutboxEntry[];
  /** The direct conversation with each owner, by user id. */
  owners: Record<string, string>;
  /** The next free number for messages that the toolkit itself makes. */
  next: number;
}

/**
 * Most bytes of JSON that wait in each direction. Together with the remembered keys they stay below the 1 MiB of the
 * plugin's storage.
 */
const MAX_INBOX = 300_000;
const MAX_OUTBOX = 400_000;
/** Most bytes of an answer that are stored; a larger answer is asked for again after a restart. */
const MAX_KEPT_TEXT = 64_000;
const MAX_OWNERS = 100;
const QUEUE_KEY = "channel.queue";
const RETRY_MS = 2_000;
/** Longest pause between two writes of a long queue, in milliseconds, whatever somebody does to the clock. */
const MOST_REST_MS = 1_000;

export interface JournalParts {
  /** Called after each change of the inbox or outbox. */
  onChange(): void;
  storage: PluginStorage;
  logger: PluginLogger;
  clock: ChannelClock;
  /** Called with a sentence when nothing can be stored, and with null when it works again. */
  onTrouble(sentence: string | null): void;
}

/**
 * What must survive the end of the process: messages that are not answered, messages to send, and the keys of messages
 * that were seen. Changes at the same time are stored in one write, and one write follows the other.
 */
export class Journal {
  readonly inbox = new Map<string, InboxEntry>();
  readonly outbox = new Map<string, OutboxEntry>();
  /** Keys of the messages that an earlier process left unanswered. */
  readonly leftover: ReadonlySet<string>;
  readonly #parts: JournalParts;
  readonly #seen: Seen;
  readonly #owners: Map<string, string>;
  #next: number;
  #inboxBytes = 0;
  #outboxBytes = 0;
  readonly #sizes = new Map<string, number>();
  readonly #waiting: { entry: InboxEntry; go: () => void; refuse: () => void }[] = [];
  #changes = 0;
  #stored = 0;
  /** Who waits until their change is stored; the oldest change first. */
  readonly #unstored: { changes: number; tell(): void; refuse(error: Error): void }[] = [];
  #writing: Promise<void> | null = null;
  #stopped = false;

  static async open(parts: JournalParts): Promise<Journal> {
    const state = (await parts.storage.get(QUEUE_KEY)) as QueueState | undefined;
    return new Journal(parts, await Seen.open(parts.storage), state);
  }

  private constructor(parts: JournalParts, seen: Seen, state: QueueState | undefined) {
    this.#parts = parts;
    this.#seen = seen;
    this.#owners = new Map(Object.entries(state?.owners ?? {}));
    this.#next = state?.next ?? 1;
    // A process that was killed may have stored a message and not yet that it knows it.
    for (const entry of state?.inbox ?? []) this.#take(entry);
    for (const entry of state?.outbox ?? []) this.#putOutbox(entry);
    this.leftover = new Set(this.inbox.keys());
  }

  /** A number that this channel never used before. */
  take(): number {
    this.#next += 1;
    this.#changed();
    return this.#next;
  }

  isKnown(key: string): boolean {
    return this.inbox.has(key) || this.#seen.has(key);
  }

  remember(key: string): void {
    this.#seen.add(key);
    this.#changed();
  }

  ownerConversation(userId: string): string | undefined {
    return this.#owners.get(userId);
  }

  rememberOwner(userId: string, conversation: string): void {
    if (this.#owners.get(userId) === conversation) return;
    this.#owners.delete(userId);
    this.#owners.set(userId, conversation);
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > MAX_OWNERS && oldest !== undefined) this.#owners.delete(oldest);
    this.#changed();
  }

  /** The conversation belongs to nobody any more. */
  forgetOwnersIn(conversation: string): void {
    const gone = [...this.#owners].filter(([, known]) => known === conversation);
    for (const [owner] of gone) this.#owners.delete(owner);
    if (gone.length > 0) this.#changed();
  }

  putInbox(entry: InboxEntry): void {
    this.#putInbox(entry);
    this.#changed();
  }

  removeInbox(key: string): void {
    if (!this.inbox.delete(key)) return;
    this.#inboxBytes -= this.#resize(`i${key}`, 0);
    this.#changed();
    this.#letIn();
  }

  putOutbox(entry: OutboxEntry): void {
    this.#putOutbox(entry);
    this.#changed();
  }

  removeOutbox(id: string): void {
    if (!this.outbox.delete(id)) return;
    this.#outboxBytes -= this.#resize(`o${id}`, 0);
    this.#changed();
    this.#letIn();
  }

  /**
   * Puts a message into the inbox as soon as there is room, in the order of the calls, and remembers its key in the same
   * write. Resolves when it is in.
   */
  admit(entry: InboxEntry): Promise<void> {
    if (this.#waiting.length === 0 && this.#hasRoom(entry)) {
      this.#take(entry);
      this.#changed();
      return Promise.resolve();
    }
    return new Promise((go, reject) => {
      const refuse = () => reject(stops());
      this.#waiting.push({ entry, go, refuse });
    });
  }

  /** How many messages wait for room. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /**
   * Whether the outbox has room for a text. If not, the answer is stored without its text, as a reference to its
   * question.
   */
  hasOutboxRoom(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    return bytes <= MAX_KEPT_TEXT && this.#outboxBytes + bytes <= MAX_OUTBOX;
  }

  /** Resolves when everything that was changed up to now is stored; rejects when the channel stops before. */
  stored(): Promise<void> {
    const changes = this.#changes;
    if (this.#stored >= changes) return Promise.resolve();
    if (this.#stopped) return Promise.reject(stops());
    void this.#write();
    return new Promise((tell, refuse) => this.#unstored.push({ changes, tell, refuse }));
  }

  /** Tries once to write what is not stored yet. After that nothing is written any more. */
  async close(): Promise<void> {
    this.#stopped = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse();
    await this.#writing;
    if (this.#stored < this.#changes) await this.#write();
    for (const { refuse } of this.#unstored.splice(0)) refuse(stops());
  }

  #take(entry: InboxEntry): void {
    this.#putInbox(entry);
    this.#seen.add(entry.key);
  }

  #putInbox(entry: InboxEntry): void {
    this.inbox.set(entry.key, entry);
    this.#inboxBytes += this.#resize(`i${entry.key}`, sizeOf(entry));
  }

  #putOutbox(entry: OutboxEntry): void {
    this.outbox.set(entry.id, entry);
    this.#outboxBytes += this.#resize(`o${entry.id}`, sizeOf(entry));
  }

  /** @returns by how many bytes the total has changed; negative after a removal */
  #resize(id: string, bytes: number): number {
    const before = this.#sizes.get(id) ?? 0;
    if (bytes === 0) {
      this.#sizes.delete(id);
      return before;
    }
    this.#sizes.set(id, bytes);
    return bytes - before;
  }

  #hasRoom(entry: InboxEntry): boolean {
    const empty = this.inbox.size === 0;
    return this.#outboxBytes < MAX_OUTBOX && (empty || this.#inboxBytes + sizeOf(entry) <= MAX_INBOX);
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.entry); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#take(next.entry);
      this.#changed();
      next.go();
    }
  }

  #changed(): void {
    this.#changes += 1;
    this.#parts.onChange();
    if (!this.#stopped) void this.#write();
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // Wait for one microtask, so that all changes of the same tick are stored together.
    await Promise.resolve();
    const { clock } = this.#parts;
    let busyMs = 0;
    while (this.#stored < this.#changes) {
      // A long queue is written less often, so that writing it takes a fifth of the time at most.
      if (busyMs > 1) await pause(clock, Math.min(4 * busyMs, MOST_REST_MS));
      const start = clock.now();
      try {
        const storing = this.#storeAll();
        busyMs = clock.now() - start;
        await storing;
        this.#parts.onTrouble(null);
      } catch (error) {
        if (this.#stopped) break;
        const why = error instanceof Error ? error.message : String(error);
        this.#parts.onTrouble(`Messages cannot be stored, so none are accepted until they can: ${why}`);
        await pause(clock, RETRY_MS);
      }
      if (this.#stopped) break;
    }
    // At once with the last look: what changes from here on begins a write of its own.
    this.#writing = null;
  }

  /** One write of everything. @throws why it was not stored */
  async #storeAll(): Promise<void> {
    const changes = this.#changes;
    await Promise.all([this.#storeQueue(), this.#seen.store(this.#parts.storage)]);
    this.#stored = changes;
    this.#tellStored();
  }

  /** Whoever waits hears of the first write that has their change: while much goes on, one write follows the other for long. */
  #tellStored(): void {
    const waiting = this.#unstored.findIndex(({ changes }) => changes > this.#stored);
    const told = this.#unstored.splice(0, waiting === -1 ? this.#unstored.length : waiting);
    for (const { tell } of told) tell();
  }

  async #storeQueue(): Promise<void> {
    const state: QueueState = {
      inbox: [...this.inbox.values()],
      outbox: [...this.outbox.values()],
      owners: Object.fromEntries(this.#owners),
      next: this.#next,
    };
    await this.#parts.storage.set(QUEUE_KEY, state);
  }
}

const stops = () => new ChannelFailure("offline", "The channel stops.");

function sizeOf(entry: InboxEntry | OutboxEntry): number {
  return Buffer.byteLength(JSON.stringify(entry));
}
