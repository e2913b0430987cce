import type { ChannelAgent, ChannelPeople } from "../channel-agent.ts";
import type { PluginLogger, PluginStorage } from "../manifest.ts";
import type { Access } from "./access.ts";
import type { ChannelClock } from "./clock.ts";
import type { Journal } from "./journal.ts";
import { LeftAlone } from "./left-alone.ts";
import type { Outbox } from "./outbox.ts";
import { pieceId } from "./piece-id.ts";
import type { InboundMessage } from "./transport.ts";
import type { Words } from "./words/words.ts";

const KEY = "channel.strangers";
/** Most first messages that are kept for people who wait, and most characters of one. */
const MOST_KEPT = 50;
const MAX_TEXT = 4_000;
/** How long Patchbay is not asked again about the same person, in milliseconds: as long as a code holds. */
const QUIET_MS = 60 * 60_000;
/** Most people whom the toolkit remembers to have asked about. */
const MOST_ASKED = 2_000;
/** Most people without an account who are told to sign in, in this time (milliseconds). */
const MOST_TOLD = 10;
const TOLD_MS = 10 * 60_000;

export interface StrangersParts {
  agent: ChannelAgent;
  access: Access;
  journal: Journal;
  outbox: Outbox;
  storage: PluginStorage;
  logger: PluginLogger;
  clock: ChannelClock;
  words: Words;
  /** Takes in the kept message of somebody who was let in. */
  accept(message: InboundMessage): Promise<void>;
  /** Somebody may not write any more, or is no owner any more. */
  lost(userId: string, mayWrite: boolean): void;
}

/**
 * People who write directly and are on no list. Patchbay makes the code that they are told, decides who is let in, and
 * says so; here only their first message is kept until then. Nothing is said in groups and to bots.
 */
export class Strangers {
  readonly #parts: StrangersParts;
  /** First messages, by the id of their writer. */
  readonly #kept: Map<string, InboundMessage>;
  readonly #leftAlone: LeftAlone;
  /** When Patchbay was last asked about somebody; milliseconds since 1970. */
  readonly #asked = new Map<string, number>();
  /** Conversations of people without an account who were told to sign in. */
  readonly #told = new Set<string>();
  #toldAt: number[] = [];
  readonly #known = Promise.withResolvers<void>();
  #end: (() => void) | undefined;

  static async open(parts: StrangersParts): Promise<Strangers> {
    const stored = (await parts.storage.get(KEY)) as [string, InboundMessage][] | undefined;
    return new Strangers(parts, new Map(stored), await LeftAlone.open(parts.storage, parts.clock));
  }

  private constructor(parts: StrangersParts, kept: Map<string, InboundMessage>, leftAlone: LeftAlone) {
    this.#parts = parts;
    this.#kept = kept;
    this.#leftAlone = leftAlone;
  }

  start(): void {
    const { agent, access } = this.#parts;
    if (!agent.followPeople) this.#known.resolve();
    this.#end = agent.followPeople?.((people) => {
      const before = access.letInNow;
      access.letIn(people.listed);
      for (const { userId, role } of before) {
        const mayWrite = access.listedAmong([userId]) !== null;
        if (!mayWrite || (role === "owner" && !access.isOwner([userId]))) this.#parts.lost(userId, mayWrite);
      }
      this.#known.resolve();
      void this.#changed(people).catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        this.#parts.logger.error(`The message of somebody who was let in was not taken in: ${why}`);
      });
    });
  }

  stop(): void {
    this.#end?.();
    this.#known.resolve();
  }

  /** Resolves when it is written down which messages were left alone. */
  stored(): Promise<void> {
    return this.#leftAlone.stored();
  }

  /** A message that was left alone when it came stays so, whoever its writer is by now. */
  wasLeftAlone(key: string): boolean {
    return this.#leftAlone.has(key);
  }

  /** Resolves when it is known who was let in. */
  known(): Promise<void> {
    return this.#known.promise;
  }

  /** The conversation belongs to nobody any more. */
  left(conversation: string): void {
    this.#told.delete(conversation);
  }

  /** Somebody wrote who is on no list. Resolves when what must be kept is stored. */
  async met(message: InboundMessage, key: string): Promise<void> {
    const { access, agent, journal, logger } = this.#parts;
    const { from, group, conversation } = message;
    logger.debug(`A message of ${from.id} was left alone: not on the allow-list.`);
    if (!group && this.#kept.get(from.id)?.dedupeKey !== key) this.#leftAlone.add(key);
    if (group || from.bot || access.strangers !== "pair" || !agent.introduce) return;
    if (from.lasting === false) return this.#askToSignIn(conversation, key);
    if (journal.isKnown(key) || !this.#mayAsk(from.id)) return;
    const stranger = {
      userId: from.id,
      conversation,
      ...(from.name !== undefined && { userName: from.name }),
    };
    const { say, waits } = await agent.introduce(stranger);
    if (!waits) return;
    if (!this.#kept.has(from.id) && this.#kept.size < MOST_KEPT) {
      const text = message.text.slice(0, MAX_TEXT).toWellFormed();
      // The same key as long as it is kept, so that it is answered once however often it is delivered.
      this.#kept.set(from.id, { ...message, text, dedupeKey: key });
      this.#leftAlone.forget(key);
    }
    if (say !== null) this.#say(`met-${pieceId(key, 0)}`, conversation, say);
    await Promise.all([this.#store(), journal.stored()]);
  }

  #mayAsk(userId: string): boolean {
    const now = this.#parts.clock.now();
    const before = this.#asked.get(userId);
    if (before !== undefined && now - before < QUIET_MS) return false;
    this.#asked.delete(userId);
    this.#asked.set(userId, now);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_ASKED && oldest !== undefined) this.#asked.delete(oldest);
    return true;
  }

  async #askToSignIn(conversation: string, key: string): Promise<void> {
    const now = this.#parts.clock.now();
    this.#toldAt = this.#toldAt.filter((at) => at > now - TOLD_MS);
    if (this.#told.has(conversation) || this.#toldAt.length >= MOST_TOLD) return;
    if (this.#told.size >= MOST_ASKED) this.#told.clear();
    this.#told.add(conversation);
    this.#toldAt.push(now);
    this.#say(`sign-in-${pieceId(key, 0)}`, conversation, this.#parts.words.now.signIn);
    await this.#parts.journal.stored();
  }

  async #changed({ listed, waiting }: ChannelPeople): Promise<void> {
    const letIn = new Set(listed.map(({ userId }) => userId));
    const stillWaiting = new Set(waiting);
    // Somebody who is removed and writes again is asked about again.
    for (const userId of this.#asked.keys()) if (!stillWaiting.has(userId)) this.#asked.delete(userId);
    for (const [userId, message] of [...this.#kept]) {
      if (letIn.has(userId)) {
        this.#say(
          `welcome-${pieceId(message.dedupeKey ?? userId, 0)}`,
          message.conversation,
          this.#parts.words.now.welcome,
        );
        await this.#parts.accept(message);
      } else if (!stillWaiting.has(userId) && message.dedupeKey !== undefined) {
        this.#leftAlone.add(message.dedupeKey);
      }
      if (!stillWaiting.has(userId)) this.#kept.delete(userId);
    }
    await this.#store();
  }

  /** Says something once, also when this is done again after a kill. */
  #say(id: string, conversation: string, text: string): void {
    const { journal, outbox } = this.#parts;
    if (journal.isKnown(id) || journal.outbox.has(id) || !journal.hasOutboxRoom(text)) return;
    journal.remember(id);
    outbox.put({ id, conversation, text, sent: [] }, { text, files: [] });
  }

  async #store(): Promise<void> {
    await this.#parts.storage.set(KEY, [...this.#kept]);
  }
}
