import type { ChannelAgent, ChannelAnswer, ChannelMessage } from "../channel-agent.ts";
import type { PluginLogger } from "../manifest.ts";
import { fetchAll } from "./attachments.ts";
import { type ChannelClock, pause } from "./clock.ts";
import { Draft, type DraftParts } from "./drafts.ts";
import { joined, togetherAtHead, type Waiting, waitAtHead } from "./joining.ts";
import type { InboxEntry, Journal, OutboxEntry } from "./journal.ts";
import type { Marks } from "./marks.ts";
import type { AnswerBody, Outbox } from "./outbox.ts";
import type { Stopped } from "./stopping.ts";
import type { ChannelTransport, InboundFile, MessageMark } from "./transport.ts";
import { keepTyping } from "./typing.ts";

/** Most turns that this channel runs at the same time. */
const MAX_TURNS = 64;
/**
 * How often a message is given to an agent that fails, because the app may just be closing. After that the person gets
 * a message about the failure.
 */
const TRIES = 3;

export interface ConversationsParts extends DraftParts {
  agent: ChannelAgent;
  logger: PluginLogger;
  journal: Journal;
  outbox: Outbox;
  transport: ChannelTransport;
  clock: ChannelClock;
  signal: AbortSignal;
  /** Messages of one person that follow each other within so many milliseconds become one turn; 0: none do. */
  joinMs: number;
  marks: Marks;
  /** Called after each message: with the reason when the agent could not answer, with null when it did. */
  onAsked(failure: string | null): void;
}

/** A turn that runs: the head of its conversation's queue. */
interface Turn {
  entry: InboxEntry;
  stop: AbortController;
  draft: Draft | null;
  /** Nothing is said about its end, because its person is gone. */
  silent: boolean;
  /** Resolves with whether it was stopped before it had an answer. */
  ended: PromiseWithResolvers<boolean>;
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
        stopped = await this.#handle(turn);
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

  /**
   * Runs the turn for one message. When the channel stops meanwhile, the message stays in the journal and the next
   * process handles it.
   *
   * @returns whether somebody stopped it before it had an answer
   */
  async #handle(turn: Turn): Promise<boolean> {
    const { agent, journal, clock } = this.#parts;
    const { entry, stop } = turn;
    if (entry.what === "remember") {
      await agent.append?.(messageIn(entry));
      journal.removeInbox(entry.key);
      return false;
    }
    const signal = AbortSignal.any([this.#parts.signal, stop.signal]);
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        const answer = await this.#prompt(turn, signal);
        if (turn.silent) break;
        this.#answer(entry, answer);
        this.#parts.onAsked(null);
        return false;
      } catch (error) {
        if (signal.aborted) break;
        if (tries < TRIES) {
          this.#parts.logger.warn(`The agent did not answer and is asked again: ${messageOf(error)}`);
          await pause(clock, 1_000 * 2 ** tries, signal);
        } else {
          this.#parts.logger.error(`The agent did not answer: ${messageOf(error)}`);
          this.#answer(entry, { sessionId: "", text: apology(entry, error) });
          this.#parts.onAsked(messageOf(error));
          return false;
        }
      }
    }
    if (this.#parts.signal.aborted) return false;
    if (turn.silent) journal.removeInbox(entry.key);
    // What people have read of the answer stays; it only ends here.
    else this.#answer(entry, { sessionId: "", text: turn.draft?.shownText ?? "" });
    return true;
  }

  async #prompt(turn: Turn, signal: AbortSignal): Promise<ChannelAnswer> {
    const { agent, transport, clock } = this.#parts;
    const { entry } = turn;
    const { attachments, missing } = await fetchAll(transport, entry.files ?? [], clock, signal);
    const everyMs = editPause(transport, entry.conversation);
    const draft = everyMs === null || entry.answered ? null : new Draft(this.#parts, entry, everyMs);
    turn.draft = draft;
    const stopTyping = entry.answered ? () => {} : keepTyping(this.#parts, entry.conversation);
    const message = messageIn(entry);
    try {
      return await agent.prompt({
        ...message,
        text: [message.text, ...missing.map((why) => `[File not available: ${why}]`)]
          .filter(Boolean)
          .join("\n"),
        ...(attachments.length > 0 && { attachments }),
        ...(draft && { onDelta: (text: string) => draft.add(text) }),
        signal,
      });
    } finally {
      stopTyping();
      await draft?.end();
    }
  }

  /**
   * Puts the answer into the outbox and removes the message from the inbox. Both are stored in one write, so that after
   * a crash the message is neither lost nor answered twice.
   */
  #answer(entry: InboxEntry, answer: ChannelAnswer): void {
    const { journal, outbox } = this.#parts;
    const files = answer.attachments ?? [];
    const id = `answer-${entry.key}`;
    const body: AnswerBody = { text: answer.silent ? "" : answer.text, files: answer.silent ? [] : files };
    const existing = journal.outbox.get(id);
    if (existing) {
      outbox.supply(existing, body);
      // Else the message is removed with the answer, which is stored without its text.
      if (existing.inbox !== entry.key) journal.removeInbox(entry.key);
      return;
    }
    const nothing = body.text.trim() === "" && body.files.length === 0 && !entry.drafts?.length;
    if (nothing) {
      journal.removeInbox(entry.key);
      return;
    }
    const kept = body.files.length === 0 && journal.hasOutboxRoom(body.text);
    const outgoing: OutboxEntry = {
      id,
      conversation: entry.conversation,
      text: kept ? body.text : null,
      sent: [],
      ...(!kept && { inbox: entry.key }),
      ...(body.files.length > 0 && { hasFiles: true }),
      ...(entry.drafts && { drafts: entry.drafts }),
      ...(entry.replyTo !== undefined && { replyTo: entry.replyTo }),
      answers: entry.messageId,
    };
    outbox.put(outgoing, body, journal.leftover.has(entry.key));
    if (kept) journal.removeInbox(entry.key);
    else journal.putInbox({ ...entry, answered: true });
  }
}

function isTurnOf({ userId }: InboxEntry, ids: readonly string[]): boolean {
  return ids.includes(userId);
}

function messageIn(entry: InboxEntry): ChannelMessage {
  return {
    conversation: entry.conversation,
    userId: entry.userId,
    ...(entry.userName !== undefined && { userName: entry.userName }),
    role: entry.role,
    text: entry.text,
    messageId: entry.messageId,
    ...(entry.group && { group: true }),
    ...(entry.room !== undefined && { room: entry.room }),
    ...(entry.spoken && { spoken: true }),
  };
}

function editPause({ limits, edit }: ChannelTransport, conversation: string): number | null {
  if (!edit || limits.editEveryMs === undefined) return null;
  return typeof limits.editEveryMs === "function" ? limits.editEveryMs(conversation) : limits.editEveryMs;
}

/** The text that says the agent failed. Only owners get the reason, because it may contain details of the app. */
function apology(entry: InboxEntry, error: unknown): string {
  return entry.role === "owner"
    ? `I could not answer: ${messageOf(error)}`
    : "I could not answer this. Please try again later.";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
