import { pause } from "./clock.ts";
import { joined, togetherAtHead, type Waiting, waitAtHead } from "./joining.ts";
import type { InboxEntry } from "./journal.ts";
import type { Marks } from "./marks.ts";
import type { Stopped } from "./stopping.ts";
import type { InboundFile, MessageMark } from "./transport.ts";
import { messageOf, runTurn, type Turn, type TurnParts } from "./turn.ts";

/** Most turns that this channel runs at the same time. */
const MAX_TURNS = 64;

export interface ConversationsParts extends TurnParts {
  /** Messages of one person that follow each other within so many milliseconds become one turn; 0: none do. */
  joinMs: number;
  marks: Marks;
}

/**
 * Runs a turn for each message in the inbox: those of one conversation in order, different conversations at the same
 * time.
 */
export class Conversations {
  readonly #parts: ConversationsParts;
  readonly #queues = new Map<string, Waiting[]>();
  readonly #turns = new Map<string, Turn>();
  readonly #ready: string[] = [];
  #running = 0;

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
  }

  /** Adds a message that came in just now. */
  add(entry: InboxEntry): void {
    this.#mark(entry, "seen");
    this.#add({ entry, at: this.#parts.clock.now() });
  }

  /** Adds a message that an earlier process has left; its turn may have begun. */
  resume(entry: InboxEntry): void {
    this.#add({ entry });
  }

  #add(waiting: Waiting): void {
    const { entry } = waiting;
    const queue = this.#queues.get(entry.conversation);
    if (queue) {
      queue.push(waiting);
      return;
    }
    const begun = [waiting];
    this.#queues.set(entry.conversation, begun);
    this.#soon(entry.conversation, begun);
  }

  /** Whether something of this person runs or waits in a conversation. */
  hasTurnOf(conversation: string, ids: readonly string[]): boolean {
    return this.#queues.get(conversation)?.some(({ entry }) => isTurnOf(entry, ids)) ?? false;
  }

  /** Whether anything runs or waits in a conversation. */
  isBusy(conversation: string): boolean {
    return this.#queues.has(conversation);
  }

  /** Stops what runs and waits for one person in a conversation; for an owner, whosever it is. */
  async stop(conversation: string, by: { ids: readonly string[]; owner: boolean }): Promise<Stopped> {
    const queue = this.#queues.get(conversation) ?? [];
    const turn = this.#turns.get(conversation);
    const theirs = queue.filter(
      ({ entry }) => entry.what === "answer" && (by.owner || isTurnOf(entry, by.ids)),
    );
    const running = turn !== undefined && theirs.some(({ entry }) => entry === turn.entry);
    if (theirs.length === 0) return { kind: queue.length === 0 ? "nothing" : "others" };
    const waiting = theirs.filter(({ entry }) => entry !== turn?.entry);
    this.#forget(conversation, queue, waiting);
    if (!running) return { kind: "stopped", running: false, waiting: waiting.length };
    turn.stop.abort();
    const stopped = await turn.ended.promise;
    if (!stopped && waiting.length === 0) return { kind: "nothing" };
    return { kind: "stopped", running: stopped, waiting: waiting.length };
  }

  /** Stops what runs in a conversation and forgets what waits in it, without a word. Returns how many messages that were. */
  drop(conversation: string): number {
    const { journal } = this.#parts;
    const queue = this.#queues.get(conversation) ?? [];
    const stored = [...journal.inbox.values()].filter((entry) => entry.conversation === conversation);
    const turn = this.#turns.get(conversation);
    this.#forget(
      conversation,
      queue,
      queue.filter(({ entry }) => entry !== turn?.entry),
    );
    if (turn) {
      turn.silent = true;
      turn.stop.abort();
    }
    for (const { key } of stored) journal.removeInbox(key);
    return stored.length;
  }

  /** Stops what runs for a person, in whatever conversation, and forgets what waits for them, without a word. */
  dropOf(userId: string): void {
    const { journal } = this.#parts;
    for (const [conversation, queue] of [...this.#queues]) {
      const turn = this.#turns.get(conversation);
      const theirs = queue.filter(({ entry }) => entry.userId === userId);
      this.#forget(
        conversation,
        queue,
        theirs.filter(({ entry }) => entry !== turn?.entry),
      );
      if (turn?.entry.userId !== userId) continue;
      turn.silent = true;
      turn.stop.abort();
    }
    for (const entry of [...journal.inbox.values()])
      if (entry.userId === userId) journal.removeInbox(entry.key);
  }

  /** Puts an edited text in the place of a message whose turn has not begun. False when there is none. */
  replace(
    conversation: string,
    messageId: string,
    by: { ids: readonly string[]; text: string; files: readonly InboundFile[] },
  ): boolean {
    const running = this.#turns.get(conversation)?.entry;
    const found = this.#queues
      .get(conversation)
      ?.find(({ entry }) => entry.messageId === messageId && isTurnOf(entry, by.ids))?.entry;
    if (!found || found === running) return false;
    found.text = by.text;
    if (by.files.length > 0) found.files = [...by.files];
    this.#parts.journal.putInbox(found);
    return true;
  }

  #forget(conversation: string, queue: Waiting[], gone: readonly Waiting[]): void {
    for (const one of gone) {
      queue.splice(queue.indexOf(one), 1);
      this.#parts.journal.removeInbox(one.entry.key);
      this.#mark(one.entry, null);
    }
    if (queue.length === 0) this.#queues.delete(conversation);
  }

  #mark(entry: InboxEntry, mark: MessageMark | null): void {
    // Commands are answered at once, and what is only remembered is nobody's turn.
    if (entry.what !== "answer" || entry.text.startsWith("/")) return;
    const { marks, journal } = this.#parts;
    const before = journal.leftover.has(entry.key) ? "seen" : null;
    for (const id of [entry.messageId, ...(entry.alsoIds ?? [])]) {
      marks.show(entry.conversation, id, mark, before);
    }
  }

  /** Makes a conversation ready as soon as its person has finished writing. */
  #soon(conversation: string, queue: Waiting[]): void {
    const { clock, joinMs, signal } = this.#parts;
    // What waited may have been stopped meanwhile.
    if (this.#queues.get(conversation) !== queue || signal.aborted) return;
    const wait = waitAtHead(queue, joinMs, clock.now());
    if (wait > 0) {
      void pause(clock, wait, signal).then(() => this.#soon(conversation, queue));
      return;
    }
    this.#ready.push(conversation);
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running < MAX_TURNS) {
      const conversation = this.#ready.shift();
      if (conversation === undefined) return;
      // It is made ready again when that turn ends.
      if (this.#turns.has(conversation)) continue;
      this.#running += 1;
      void this.#runOne(conversation);
    }
  }

  async #runOne(conversation: string): Promise<void> {
    const queue = this.#queues.get(conversation) ?? [];
    const { entry, several } = this.#takeTogether(queue);
    if (entry) {
      const ended = Promise.withResolvers<boolean>();
      const turn: Turn = { entry, stop: new AbortController(), draft: null, silent: false, ended };
      this.#turns.set(conversation, turn);
      let stopped = false;
      this.#mark(entry, "working");
      try {
        // Which messages are one turn must be known after a crash, too: the agent knows them under one id.
        if (several) await this.#parts.journal.stored();
        stopped = await runTurn(this.#parts, turn);
      } catch (error) {
        if (!this.#parts.signal.aborted) {
          this.#parts.logger.error(`A message was not handled: ${messageOf(error)}`);
          this.#parts.journal.removeInbox(entry.key);
        }
      }
      this.#turns.delete(conversation);
      this.#mark(entry, null);
      ended.resolve(stopped);
    }
    this.#running -= 1;
    queue.shift();
    if (queue.length === 0) {
      if (this.#queues.get(conversation) === queue) this.#queues.delete(conversation);
    } else this.#soon(conversation, queue);
    if (!this.#parts.signal.aborted) this.#startNext();
  }

  /** The message at the head of a queue, with those that belong to the same turn. */
  #takeTogether(queue: Waiting[]): { entry: InboxEntry | undefined; several: boolean } {
    const { journal, joinMs } = this.#parts;
    const count = joinMs === 0 ? 1 : togetherAtHead(queue, joinMs);
    const [first, ...more] = queue.slice(0, count).map(({ entry }) => entry);
    if (!first || more.length === 0) return { entry: first, several: false };
    const one = joined([first, ...more]);
    queue.splice(0, count, { entry: one });
    journal.putInbox(one);
    for (const { key } of more) journal.removeInbox(key);
    return { entry: one, several: true };
  }
}

function isTurnOf({ userId }: InboxEntry, ids: readonly string[]): boolean {
  return ids.includes(userId);
}
