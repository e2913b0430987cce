import type { ChannelAgent, ChannelAnswer, ChannelMessage } from "../channel-agent.ts";
import type { PluginLogger } from "../manifest.ts";
import { fetchAll } from "./attachments.ts";
import { type ChannelClock, pause } from "./clock.ts";
import { Draft, type DraftParts } from "./drafts.ts";
import type { InboxEntry, Journal, OutboxEntry } from "./journal.ts";
import type { AnswerBody, Outbox } from "./outbox.ts";
import type { ChannelTransport } from "./transport.ts";
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
  /** Called after each message: with the reason when the agent could not answer, with null when it did. */
  onAsked(failure: string | null): void;
}

/**
 * Runs a turn for each message in the inbox: those of one conversation in order, different conversations at the same
 * time.
 */
export class Conversations {
  readonly #parts: ConversationsParts;
  readonly #queues = new Map<string, InboxEntry[]>();
  readonly #ready: string[] = [];
  /** Stops the turn of a conversation whose person is gone. */
  readonly #turns = new Map<string, AbortController>();
  #running = 0;

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
  }

  add(entry: InboxEntry): void {
    const queue = this.#queues.get(entry.conversation);
    if (queue) {
      queue.push(entry);
      return;
    }
    this.#queues.set(entry.conversation, [entry]);
    this.#ready.push(entry.conversation);
    this.#startNext();
  }

  /** Stops what runs in a conversation and forgets what waits in it. Returns how many messages that were. */
  drop(conversation: string): number {
    const { journal } = this.#parts;
    this.#turns.get(conversation)?.abort(new Error("The person is gone."));
    const queue = this.#queues.get(conversation);
    queue?.splice(this.#turns.has(conversation) ? 1 : 0);
    const waiting = [...journal.inbox.values()].filter((entry) => entry.conversation === conversation);
    for (const { key } of waiting) journal.removeInbox(key);
    return waiting.length;
  }

  #startNext(): void {
    while (this.#running < MAX_TURNS) {
      const conversation = this.#ready.shift();
      if (conversation === undefined) return;
      this.#running += 1;
      void this.#runOne(conversation);
    }
  }

  async #runOne(conversation: string): Promise<void> {
    const queue = this.#queues.get(conversation) ?? [];
    const entry = queue[0];
    if (entry) {
      const turn = new AbortController();
      this.#turns.set(conversation, turn);
      const signal = AbortSignal.any([this.#parts.signal, turn.signal]);
      try {
        await this.#handle(entry, signal);
      } catch (error) {
        if (!signal.aborted) {
          this.#parts.logger.error(`A message was not handled: ${messageOf(error)}`);
          this.#parts.journal.removeInbox(entry.key);
        }
      }
      this.#turns.delete(conversation);
    }
    this.#running -= 1;
    queue.shift();
    if (queue.length === 0) this.#queues.delete(conversation);
    else this.#ready.push(conversation);
    if (!this.#parts.signal.aborted) this.#startNext();
  }

  /**
   * Runs the turn for one message. When the channel stops meanwhile, the message stays in the journal and the next
   * process handles it.
   */
  async #handle(entry: InboxEntry, signal: AbortSignal): Promise<void> {
    const { agent, journal, clock } = this.#parts;
    if (entry.what === "remember") {
      await agent.append?.(messageIn(entry));
      journal.removeInbox(entry.key);
      return;
    }
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        const answer = await this.#prompt(entry, signal);
        if (signal.aborted) return;
        this.#answer(entry, answer);
        this.#parts.onAsked(null);
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (tries < TRIES) {
          this.#parts.logger.warn(`The agent did not answer and is asked again: ${messageOf(error)}`);
          await pause(clock, 1_000 * 2 ** tries, signal);
        } else {
          this.#parts.logger.error(`The agent did not answer: ${messageOf(error)}`);
          this.#answer(entry, { sessionId: "", text: apology(entry, error) });
          this.#parts.onAsked(messageOf(error));
          return;
        }
      }
    }
  }

  async #prompt(entry: InboxEntry, signal: AbortSignal): Promise<ChannelAnswer> {
    const { agent, transport, clock } = this.#parts;
    const { attachments, missing } = await fetchAll(transport, entry.files ?? [], clock, signal);
    const everyMs = editPause(transport, entry.conversation);
    const draft = everyMs === null || entry.answered ? null : new Draft(this.#parts, entry, everyMs);
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
    };
    outbox.put(outgoing, body);
    if (kept) journal.removeInbox(entry.key);
    else journal.putInbox({ ...entry, answered: true });
  }
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
