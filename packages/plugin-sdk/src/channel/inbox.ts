import type { ChannelAgent } from "../channel-agent.ts";
import type { PluginLogger } from "../manifest.ts";
import { type Access, type ChannelRole, lastingIdsOf } from "./access.ts";
import type { Approvals } from "./approvals.ts";
import type { Conversations } from "./conversations.ts";
import type { Exchanges } from "./exchanges.ts";
import type { InboxEntry, Journal } from "./journal.ts";
import type { Outbox } from "./outbox.ts";
import { pairingOf } from "./pairing-text.ts";
import { pieceId } from "./piece-id.ts";
import type { Presences } from "./presences.ts";
import { asksToStop } from "./stopping.ts";
import type { Strangers } from "./strangers.ts";
import type { InboundMessage } from "./transport.ts";
import type { Words } from "./words/words.ts";

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
  strangers: Strangers;
  /** Lets in who was told a code; absent: this version of Patchbay has no codes. */
  pair: ChannelAgent["pair"];
  logger: PluginLogger;
  words: Words;
  /** The exchanges with other bots; null: bots are not answered. */
  exchanges: Exchanges | null;
  onReceived(): void;
}

/** Decides what to do with each message that comes in, and stores it until it is answered. */
export class Inbox {
  readonly #parts: InboxParts;
  /** By key, in the order in which they came. */
  readonly #accepting = new Map<string, { conversation: string; done: Promise<void> }>();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** Continues with the messages that an earlier process did not answer. */
  resume(): void {
    for (const entry of this.#parts.journal.inbox.values()) this.#parts.conversations.resume(entry);
  }

  /** Resolves when the message is stored, or is to be ignored. */
  async accept(message: InboundMessage): Promise<void> {
    const { kind = "message", from } = message;
    if (from.self) return;
    if (from.bot && !this.#parts.exchanges) return;
    if (!from.bot && kind === "message") this.#parts.exchanges?.person(roomOf(message));
    const text = clean(message.text);
    if (kind === "edit") return this.#edited(message, text);
    if (kind === "past") return this.#past(message, text);
    if (kind !== "message") return;
    if (text.trim() === "" && !message.files?.length) return;
    const { journal, access, strangers } = this.#parts;
    const judged = () => access.judge(message) ?? this.#stopOf(message, text);
    // Whom the person has let in is told a moment after the start.
    const verdict = judged() ?? (await strangers.known().then(judged));
    const key = message.dedupeKey ?? `${message.conversation}\n${message.id ?? `own-${journal.take()}`}`;
    if (!verdict) return strangers.met({ ...message, text }, key);
    if (strangers.wasLeftAlone(key)) return;
    const already = this.#accepting.get(key);
    if (already) return already.done;
    if (journal.isKnown(key)) return journal.stored();
    const accepted = this.#store(message, { text, key, ...verdict });
    this.#accepting.set(key, { conversation: message.conversation, done: accepted });
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
    const { access } = this.#parts;
    if (role === "owner" && !message.group) this.#rememberOwner(message, access);
    if (await this.#decides(message, text, key)) return;
    if (await this.#pairs(message, text, key, role)) return;
    if (await this.#stops(message, text, key, role)) return;
    if (message.from.bot && !this.#answersBot(message, key)) return;
    await this.#keep(message, { text, key, role, what });
  }

  /** Stores a message that waits for its turn. */
  async #keep(
    message: InboundMessage,
    { text, key, role, what }: Pick<InboxEntry, "text" | "key" | "role" | "what">,
  ): Promise<void> {
    const { journal, access, presences } = this.#parts;
    const fleeting = message.from.lasting === false && !message.group;
    const entry: InboxEntry = {
      key,
      conversation: message.conversation,
      messageId: message.id ?? key,
      // Patchbay reads the lists itself and compares them with this id, letter by letter.
      userId: access.listedId(message) ?? message.from.id,
      ...(message.from.name !== undefined && { userName: message.from.name.slice(0, 200) }),
      role,
      text,
      ...(message.files?.length && { files: message.files }),
      ...(message.group && { group: true, room: access.roomOf(message) ?? message.conversation }),
      ...(message.spoken && { spoken: true }),
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

  /** Handles an owner's word that somebody is let in, and returns whether the message was one. */
  async #pairs(message: InboundMessage, text: string, key: string, role: ChannelRole): Promise<boolean> {
    const { access, journal, outbox, pair } = this.#parts;
    const asked = pairingOf(text);
    if (!asked || !pair || (asked.bare && role !== "owner")) return false;
    const userId = access.ownerAmong(lastingIdsOf(message.from)) ?? message.from.id;
    const said = await pair({ code: asked.code, userId }).then(
      ({ say }) => say,
      (error: unknown) => this.#parts.words.reasonOf(error),
    );
    journal.remember(key);
    const { conversation } = message;
    outbox.put({ id: `paired-${key}`, conversation, text: said, sent: [] }, { text: said, files: [] });
    await journal.stored();
    return true;
  }

  /** People may stop their own turn in a group without addressing the agent. */
  #stopOf(message: InboundMessage, text: string): { role: ChannelRole; what: "answer" } | null {
    const theirs = () => this.#parts.conversations.hasTurnOf(message.conversation, [message.from.id]);
    return asksToStop(text) !== null && theirs() ? { role: "user", what: "answer" } : null;
  }

  /**
   * Stops the turn that runs, when that is what the message says, and returns whether it was. Like a decision it does not
   * wait in the queue.
   */
  async #stops(message: InboundMessage, text: string, key: string, role: ChannelRole): Promise<boolean> {
    const asked = asksToStop(text);
    if (asked === null) return false;
    const { conversations, journal, outbox, access } = this.#parts;
    const { conversation, from } = message;
    const ids = [from.id, ...(from.aliases ?? [])];
    const listed = access.listedId(message);
    const by = { ids: listed === null ? ids : [...ids, listed], owner: role === "owner" };
    // A bare "stop" with nothing to stop may be meant for the agent.
    if (asked === "word" && !by.owner && !conversations.hasTurnOf(conversation, by.ids)) return false;
    if (asked === "word" && !conversations.isBusy(conversation)) return false;
    journal.remember(key);
    const stop = async () => {
      const answer = this.#parts.words.now.stopped(await conversations.stop(conversation, by));
      outbox.put({ id: `stopped-${key}`, conversation, text: answer, sent: [] }, { text: answer, files: [] });
    };
    await journal.stored();
    await this.#acceptedBefore(key, conversation);
    // Not awaited: a turn may take a moment to end, and further messages are read meanwhile.
    void stop();
    return true;
  }

  /** Resolves when what came before in this conversation waits there, so that a wish to stop reaches it. */
  async #acceptedBefore(key: string, conversation: string): Promise<void> {
    // While there is no room, nothing gets there soon.
    if (this.#parts.journal.backlog > 0) return;
    const keys = [...this.#accepting.keys()];
    const before = keys.slice(0, keys.indexOf(key)).map((one) => this.#accepting.get(one));
    await Promise.allSettled(
      before.filter((one) => one?.conversation === conversation).map((one) => one?.done),
    );
  }

  /** Whether a message of another bot is answered; the first that is not is told why. */
  #answersBot(message: InboundMessage, key: string): boolean {
    const { exchanges, journal, outbox } = this.#parts;
    const { from, conversation } = message;
    const verdict = exchanges?.judge(roomOf(message), from.id) ?? "ignore";
    if (verdict === "answer") return true;
    journal.remember(key);
    if (verdict === "tell") {
      const text = this.#parts.words.now.enough(from.name, exchanges?.most ?? 0);
      outbox.put({ id: `enough-${key}`, conversation, text, sent: [] }, { text, files: [] });
    }
    return false;
  }

  /**
   * An edit of a message that still waits takes its place. One that comes later is not answered; the agent reads it with
   * the next message.
   */
  async #edited(message: InboundMessage, text: string): Promise<void> {
    const { access, conversations, journal } = this.#parts;
    const verdict = access.judge(message);
    const { conversation, id, from } = message;
    if (!verdict || id === undefined || text.trim() === "") return;
    const ids = [from.id, ...(from.aliases ?? [])];
    const listed = access.listedId(message);
    const by = { ids: listed === null ? ids : [...ids, listed], text, files: message.files ?? [] };
    const original = message.dedupeKey ?? `${conversation}\n${id}`;
    // It may be on its way into the queue; why it did not get there was told to whoever brought it.
    await this.#accepting.get(original)?.done.catch(() => {});
    if (conversations.replace(conversation, id, by)) return journal.stored();
    const key = `${original}\nedit ${pieceId(text, 0)}`;
    if (!journal.isKnown(original) || journal.isKnown(key)) return;
    const edited: InboundMessage = {
      ...message,
      kind: "message",
      id: `${id}-${pieceId(text, 0)}`,
      files: [],
    };
    return this.#store(edited, {
      text: `[I changed an earlier message. It now says:]\n${text}`,
      key,
      role: verdict.role,
      what: "remember",
    });
  }

  /** What was said before the bot came is no decision, no command and no wish to stop, whoever said it. */
  async #past(message: InboundMessage, text: string): Promise<void> {
    const { access, journal } = this.#parts;
    if (!message.group || text.trim() === "") return;
    const group = { ...message.group, addressed: false, toOthers: true };
    const verdict = access.judge({ ...message, group });
    const key = message.dedupeKey ?? `${message.conversation}\n${message.id ?? `own-${journal.take()}`}`;
    if (verdict?.what !== "remember" || journal.isKnown(key) || this.#accepting.has(key)) return;
    return this.#keep(message, { text, key, ...verdict });
  }

  #rememberOwner(message: InboundMessage, access: Access): void {
    for (const id of lastingIdsOf(message.from)) {
      const listed = access.ownerNamed(id);
      if (listed !== null) this.#parts.journal.rememberOwner(listed, message.conversation);
    }
  }
}

/** Where bots and people meet: a group with all its threads. */
function roomOf({ group, conversation }: InboundMessage): string {
  return group?.id ?? conversation;
}

/**
 * The text in a form that can be stored: no lone surrogates, no NUL, all line ends as `
 * `, at most MAX_TEXT characters.
 */
function clean(text: string): string {
  const tidy = text.toWellFormed().replaceAll("\0", "").replace(/\r\n?/g, "\n");
  return tidy.length <= MAX_TEXT ? tidy : `${tidy.slice(0, MAX_TEXT).toWellFormed()}\n[The rest was cut.]`;
}
