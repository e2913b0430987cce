import type { ChannelAgent, ChannelAnswer, ChannelMessage } from "../channel-agent.ts";
import type { PluginLogger } from "../manifest.ts";
import { fetchAll } from "./attachments.ts";
import { type ChannelClock, pause } from "./clock.ts";
import { Draft, type DraftParts } from "./drafts.ts";
import type { InboxEntry, Journal, OutboxEntry } from "./journal.ts";
import type { AnswerBody, Outbox } from "./outbox.ts";
import type { ChannelTransport } from "./transport.ts";
import { keepTyping } from "./typing.ts";
import type { Words } from "./words/words.ts";

/**
 * How often a message is given to an agent that fails, because the app may just be closing. After that the person gets
 * a message about the failure.
 */
const TRIES = 3;

export interface TurnParts extends DraftParts {
  agent: ChannelAgent;
  logger: PluginLogger;
  journal: Journal;
  outbox: Outbox;
  transport: ChannelTransport;
  clock: ChannelClock;
  /** Aborted when the channel stops. */
  signal: AbortSignal;
  words: Words;
  /** Called after each message: with the reason when the agent could not answer, with null when it did. */
  onAsked(failure: string | null): void;
}

/** A turn that runs: the head of its conversation's queue. */
export interface Turn {
  entry: InboxEntry;
  stop: AbortController;
  draft: Draft | null;
  /** Nothing is said about its end, because its person is gone. */
  silent: boolean;
  /** Resolves with whether it was stopped before it had an answer. */
  ended: PromiseWithResolvers<boolean>;
}

/**
 * Runs the turn for one message. When the channel stops meanwhile, the message stays in the journal and the next
 * process handles it.
 *
 * @returns whether somebody stopped it before it had an answer
 */
export async function runTurn(parts: TurnParts, turn: Turn): Promise<boolean> {
  const { agent, journal, clock } = parts;
  const { entry, stop } = turn;
  if (entry.what === "remember") {
    await agent.append?.(messageIn(entry));
    journal.removeInbox(entry.key);
    return false;
  }
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  for (let tries = 1; !signal.aborted; tries += 1) {
    try {
      const answer = await prompt(parts, turn, signal);
      if (turn.silent) break;
      answerTurn(parts, entry, answer);
      parts.onAsked(null);
      return false;
    } catch (error) {
      if (signal.aborted) break;
      if (isNotLetIn(error)) {
        parts.logger.warn(`A message was dropped: ${messageOf(error)}`);
        journal.removeInbox(entry.key);
        return false;
      }
      if (tries < TRIES) {
        parts.logger.warn(`The agent did not answer and is asked again: ${messageOf(error)}`);
        await pause(clock, 1_000 * 2 ** tries, signal);
      } else {
        parts.logger.error(`The agent did not answer: ${messageOf(error)}`);
        answerTurn(parts, entry, { sessionId: "", text: apology(entry, error, parts.words) });
        parts.onAsked(messageOf(error));
        return false;
      }
    }
  }
  if (parts.signal.aborted) return false;
  if (turn.silent) journal.removeInbox(entry.key);
  // What people have read of the answer stays; it only ends here.
  else answerTurn(parts, entry, { sessionId: "", text: turn.draft?.shownText ?? "" });
  return true;
}

async function prompt(parts: TurnParts, turn: Turn, signal: AbortSignal): Promise<ChannelAnswer> {
  const { agent, transport, clock } = parts;
  const { entry } = turn;
  const { attachments, missing } = await fetchAll(transport, entry.files ?? [], clock, signal);
  const everyMs = editPause(transport, entry.conversation);
  const draft = everyMs === null || entry.answered ? null : new Draft(parts, entry, everyMs);
  turn.draft = draft;
  const stopTyping = entry.answered ? () => {} : keepTyping(parts, entry.conversation);
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
function answerTurn(parts: TurnParts, entry: InboxEntry, answer: ChannelAnswer): void {
  const { journal, outbox } = parts;
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
    userId: entry.userId,
  };
  outbox.put(outgoing, body, journal.leftover.has(entry.key));
  if (kept) journal.removeInbox(entry.key);
  else journal.putInbox({ ...entry, answered: true });
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
function apology(entry: InboxEntry, error: unknown, words: Words): string {
  return entry.role === "owner"
    ? words.now.couldNotAnswerBecause(words.reasonOf(error))
    : words.now.couldNotAnswer;
}

/** Patchbay answers this person no more. The reason is not for them. */
function isNotLetIn(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "NOT_LET_IN";
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
