import type { PluginLogger } from "../manifest.ts";
import { type Access, lastingIdsOf } from "./access.ts";
import type { Approvals } from "./approvals.ts";
import type { Conversations } from "./conversations.ts";
import type { InboxEntry, Journal } from "./journal.ts";
import type { Outbox } from "./outbox.ts";
import type { Presences } from "./presences.ts";
import type { InboundMessage } from "./transport.ts";

/** Most characters of a message that are kept. The rest is cut off, and the agent is told so. */
const MAX_TEXT = 100_000;
/** Most messages that wait for room in the journal while the platform sends more. */
const MAX_BACKLOG = 10_000;

export interface InboxParts {
  access: Access;
  approvals: Approvals;
  conversations: Conversations;
  journal: Journal;
  outbox: Outbox;
  presences: Presences;
  logger: PluginLogger;
  onReceived(): void;
}

/** Decides what to do with each message that comes in, and stores it until it is answered. */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #accepting = new Map<string, Promise<void>>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** Continues with the messages that an earlier process did not answer. */
  resume(): void {
    for (const entry of this.#parts.journal.inbox.values()) this.#parts.conversations.add(entry);
  }

  /** Resolves when the message is stored, or is to be ignored. */
  async accept(message: InboundMessage): Promise<void> {
    if ((message.kind ?? "message") !== "message" || message.from.bot || message.from.self) return;
    const text = clean(message.text);
    if (text.trim() === "" && !message.files?.length) return;
    const verdict = this.#parts.access.judge(message);
    if (!verdict) {
      this.#parts.logger.debug(`A message of ${message.from.id} was left alone: not on the allow-list.`);
      return;
    }
    const { journal } = this.#parts;
    const key = message.dedupeKey ?? `${message.conversation}\n${message.id ?? `own-${journal.take()}`}`;
    const already = this.#accepting.get(key);
    if (already) return already;
    if (journal.isKnown(key)) return journal.stored();
    const accepted = this.#store(message, { text, key, ...verdict });
    this.#accepting.set(key, accepted);
    try {
      await accepted;
    } finally {
      this.#accepting.delete(key);
    }
  }

  async #store(
    message: InboundMessage,
    { text, key, role, what }: Pick<InboxEntry, "text" | "key" | "role" | "what">,
  ): Promise<void> {
    const { journal, access, presences } = this.#parts;
    const fleeting = message.from.lasting === false && !message.group;
    if (role === "owner" && !message.group) this.#rememberOwner(message, access);
    if (await this.#decides(message, text, key)) return;
    const entry: InboxEntry = {
      key,
      conversation: message.conversation,
      messageId: message.id ?? key,
      // Patchbay reads the owners from the settings and compares them with this id, letter by letter.
      userId: access.ownerAmong(lastingIdsOf(message.from)) ?? message.from.id,
      ...(message.from.name !== undefined && { userName: message.from.name.slice(0, 200) }),
      role,
      text,
      ...(message.files?.length && { files: message.files }),
      ...(message.group && { group: true }),
      ...(fleeting && { fleeting }),
      ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
      what,
    };
    if (journal.backlog >= MAX_BACKLOG) {
      this.#parts.logger.error("Too many messages at once; one was not taken in.");
      throw new Error("Too many messages wait already.");
    }
    const isThere = fleeting ? await presences.began(message.conversation) : () => true;
    if (!isThere()) return;
    await journal.admit(entry);
    // The turn begins only after the message was stored: not every platform delivers a message again after a crash.
    await journal.stored();
    if (!isThere()) return journal.removeInbox(key);
    this.#parts.onReceived();
    this.#parts.conversations.add(entry);
  }

  /**
   * Handles a typed decision about an approval, and returns whether the message was one. It does not wait in the
   * conversation's queue, because the turn at the front of the queue may be waiting for this decision.
   */
  async #decides(message: InboundMessage, text: string, key: string): Promise<boolean> {
    const { approvals, journal, outbox } = this.#parts;
    const ids = lastingIdsOf(message.from);
    const answer = await approvals.decide(text, { ids, conversation: message.conversation });
    if (answer === null) return false;
    journal.remember(key);
    outbox.put(
      { id: `decided-${key}`, conversation: message.conversation, text: answer, sent: [] },
      { text: answer, files: [] },
    );
    await journal.stored();
    return true;
  }

  #rememberOwner(message: InboundMessage, access: Access): void {
    for (const id of lastingIdsOf(message.from)) {
      const listed = access.ownerNamed(id);
      if (listed !== null) this.#parts.journal.rememberOwner(listed, message.conversation);
    }
  }
}

/**
 * The text in a form that can be stored: no lone surrogates, no NUL, all line ends as `
 * `, at most MAX_TEXT characters.
 */
function clean(text: string): string {
  const tidy = text.toWellFormed().replaceAll("\0", "").replace(/\r\n?/g, "\n");
  return tidy.length <= MAX_TEXT ? tidy : `${tidy.slice(0, MAX_TEXT).toWellFormed()}\n[The rest was cut.]`;
}
