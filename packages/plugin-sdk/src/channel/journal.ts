import type { PluginLogger, PluginStorage } from "../manifest.ts";
import type { ChannelRole } from "./access.ts";
import { type ChannelClock, pause } from "./clock.ts";
import { ChannelFailure } from "./failure.ts";
import { Seen } from "./seen.ts";
import type { InboundFile } from "./transport.ts";

/** A message that came in and is not answered yet. */
export interface InboxEntry {
  /** The dedupe key. */
  key: string;
  conversation: string;
  messageId: string;
  userId: string;
  userName?: string;
  role: ChannelRole;
  text: string;
  files?: InboundFile[];
  group?: boolean;
  replyTo?: string;
  what: "answer" | "remember";
  /** Platform ids of the messages in which the answer is being written. */
  drafts?: string[];
  /** The outbox has its answer; it is kept only because the answer itself is too large to keep. */
  answered?: boolean;
}

/** A message that has to go out. */
export interface OutboxEntry {
  id: string;
  conversation: string;
  /** Null: too large to keep; the agent gives it again for the inbox entry `inbox`. */
  text: string | null;
  inbox?: string;
  /** Messages already sent for it, with platform ids where there are any. */
  sent: (string | null)[];
  /** Files already sent for it. */
  filesSent?: number;
  hasFiles?: boolean;
  /** Platform ids of draft messages that become the first messages of the answer. */
  drafts?: string[];
  replyTo?: string;
  /** The approval that it asks for, whose buttons go with it. */
  approval?: { requestId: string; shortId: string };
}

interface QueueState {
  inbox: InboxEntry[];
  outbox: OutboxEntry[];
  /** Conversation with each owner alone, by user id. */
  owners: Record<string, string>;
  /** Rises with each message that the toolkit makes by itself. */
  next: number;
}

/** Bytes of JSON that may wait in each direction. With what is remembered it stays below the 1 MB of the storage. */
const MAX_INBOX = 300_000;
const MAX_OUTBOX = 400_000;
/** Largest text that is kept with an answer; a larger one is asked for again after a restart. */
const MAX_KEPT_TEXT = 64_000;
const MAX_OWNERS = 100;
const QUEUE_KEY = "channel.queue";
const RETRY_MS = 2_000;

export interface JournalParts {
  /** Something was put in or taken out. */
  onChange(): void;
  storage: PluginStorage;
  logger: PluginLogger;
  clock: ChannelClock;
  /** Told a sentence while nothing can be stored, and null when it can be again. */
  onTrouble(sentence: string | null): void;
}

/**
 * What must survive the end of the process: what came in and is not answered, what must go out, and which messages were
 * seen. Changes are stored together, one write after the other.
 */
export class Journal {
  readonly inbox = new Map<string, InboxEntry>();
  readonly outbox = new Map<string, OutboxEntry>();
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
    for (const entry of state?.inbox ?? []) this.#putInbox(entry);
    for (const entry of state?.outbox ?? []) this.#putOutbox(entry);
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

  /** Puts a message into the inbox, first come first served, as soon as there is room; resolves then. */
  admit(entry: InboxEntry): Promise<void> {
    if (this.#waiting.length === 0 && this.#hasRoom(entry)) {
      this.putInbox(entry);
      return Promise.resolve();
    }
    return new Promise((go, reject) => {
      const refuse = () => reject(new ChannelFailure("offline", "The channel stops."));
      this.#waiting.push({ entry, go, refuse });
    });
  }

  /** How many messages wait for room. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** Whether so much text may wait to be sent; else an answer is kept by reference to its question. */
  hasOutboxRoom(text: string): boolean {
    const bytes = Buffer.byteLength(text);
    return bytes <= MAX_KEPT_TEXT && this.#outboxBytes + bytes <= MAX_OUTBOX;
  }

  /** Resolves when everything that was changed up to now is stored; rejects when the channel stops before. */
  async stored(): Promise<void> {
    const changes = this.#changes;
    while (this.#stored < changes && !this.#stopped) await this.#write();
    if (this.#stored < changes) throw new ChannelFailure("offline", "The channel stops.");
  }

  /** Tries once more to write what is left; then writes no more. */
  async close(): Promise<void> {
    this.#stopped = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse();
    await this.#writing;
    if (this.#stored < this.#changes) await this.#write();
  }

  #putInbox(entry: InboxEntry): void {
    this.inbox.set(entry.key, entry);
    this.#inboxBytes += this.#resize(`i${entry.key}`, sizeOf(entry));
  }

  #putOutbox(entry: OutboxEntry): void {
    this.outbox.set(entry.id, entry);
    this.#outboxBytes += this.#resize(`o${entry.id}`, sizeOf(entry));
  }

  /** @returns by how much the size changed, negative sizes turned round for removals */
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
      this.putInbox(next.entry);
      next.go();
    }
  }

  #changed(): void {
    this.#changes += 1;
    this.#parts.onChange();
    if (!this.#stopped) void this.#write();
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What changes in the same tick is stored together.
    await Promise.resolve();
    let busyMs = 0;
    while (this.#stored < this.#changes) {
      // A long queue is written less often, so that writing it takes a fifth of the time at most.
      if (busyMs > 1) await new Promise((resolve) => setTimeout(resolve, 4 * busyMs));
      const changes = this.#changes;
      const start = performance.now();
      try {
        const storing = [this.#storeQueue(), this.#seen.store(this.#parts.storage)];
        busyMs = performance.now() - start;
        await Promise.all(storing);
        this.#stored = changes;
        this.#parts.onTrouble(null);
      } catch (error) {
        if (this.#stopped) return;
        const why = error instanceof Error ? error.message : String(error);
        this.#parts.onTrouble(`Messages cannot be stored, so none are accepted until they can: ${why}`);
        await pause(this.#parts.clock, RETRY_MS);
      }
      if (this.#stopped) return;
    }
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

function sizeOf(entry: InboxEntry | OutboxEntry): number {
  return Buffer.byteLength(JSON.stringify(entry));
}
