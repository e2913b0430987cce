import type { ChannelPeople } from "@patchbay/plugin-sdk";
import {
  type ChannelPerson,
  PatchbayError,
  type PersonDecision,
  type StrangerRule,
} from "../../../contract/index.ts";
import { cleanText } from "../../../contract/shown/clean-text.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { ChannelStranger } from "../../runtimes/channel-door.ts";
import { chatWords, englishOnly } from "../chat-words.ts";
import type { AuditSink, ChatLanguages } from "../ports.ts";
import type { ChannelRoles } from "./channel-roles.ts";
import { codeOf, newCode } from "./pairing-codes.ts";
import { countSince, note } from "./recent-times.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** How long a code holds, in milliseconds. */
const HOLDS = 60 * MINUTE;
/** Most people of a channel who wait at a time. */
const MOST_WAITING = 20;
/** Most people of a channel who are kept: listed, refused and blocked. */
const MOST_KEPT = 1_000;
/** Most codes that one person is told in a day. */
const MOST_CODES = 2;
/** Most codes that a channel tells, and most wrong ones that its owners may write, in this time (milliseconds). */
const WINDOW = 10 * MINUTE;
const MOST_TOLD = 10;
const MOST_WRONG = 5;
const MAX_NAME = 80;

/** Where people of channels are kept, for each agent and plugin. */
export interface PeopleStore {
  of(agentId: string, pluginKey: string): readonly ChannelPerson[];
  /** On disk when the promise resolves. Changes are made one after the other; nothing without settings of the plugin. */
  change(
    agentId: string,
    pluginKey: string,
    edit: (people: readonly ChannelPerson[]) => ChannelPerson[],
  ): Promise<void>;
  onChange(listener: (agentId: string, pluginKey: string) => void): () => void;
}

export interface PeopleOptions {
  people?: PeopleStore | undefined;
  clock: Clock;
  ids: Ids;
  audit: AuditSink;
  languages?: ChatLanguages | undefined;
}

/** Ends what runs for somebody who had rights and has none any more. */
type TurnOut = (agentId: string, pluginKey: string, userId: string) => Promise<void>;

const nobody: PeopleStore = { of: () => [], change: async () => {}, onChange: () => () => {} };

/**
 * People who wrote to a channel and stand in none of its settings. The core makes their codes and keeps who was let in;
 * what a channel says of somebody's rights counts for nothing here.
 */
export class People {
  readonly #store: PeopleStore;
  readonly #roles: ChannelRoles;
  readonly #clock: Clock;
  readonly #ids: Ids;
  readonly #audit: AuditSink;
  readonly #languages: ChatLanguages;
  readonly #turnOut: TurnOut;
  /** Times of codes that were told and of wrong ones, by agent and plugin. */
  readonly #told = new Map<string, number[]>();
  readonly #wrong = new Map<string, number[]>();

  constructor(
    { people = nobody, clock, ids, audit, languages = englishOnly }: PeopleOptions,
    roles: ChannelRoles,
    turnOut: TurnOut,
  ) {
    this.#store = people;
    this.#roles = roles;
    this.#turnOut = turnOut;
    this.#clock = clock;
    this.#ids = ids;
    this.#audit = audit;
    this.#languages = languages;
  }

  /** What a channel's settings say of strangers; undefined for channels that do not say it. */
  ruleOf(agentId: string, pluginKey: string): StrangerRule | undefined {
    return this.#roles.rulesOf(agentId, pluginKey)?.strangers;
  }

  /** Tells who was let in and who waits, now and after each change. The returned function ends this. */
  follow(agentId: string, pluginKey: string, listener: (people: ChannelPeople) => void): () => void {
    let last = "";
    const tell = () => {
      const people = this.#shown(agentId, pluginKey);
      const text = JSON.stringify(people);
      if (text === last) return;
      last = text;
      listener(people);
    };
    tell();
    return this.#store.onChange((agent, key) => {
      if (agent === agentId && key === pluginKey) tell();
    });
  }

  /**
   * Somebody wrote who is on no list. They get a code once, and once more after it has ended; and only as long as not too
   * many others wait.
   */
  async introduce(
    agentId: string,
    pluginKey: string,
    { userId, userName }: ChannelStranger,
  ): Promise<{ say: string | null; waits: boolean }> {
    const nothing = { say: null, waits: false };
    if (this.#roles.rulesOf(agentId, pluginKey)?.strangers !== "pair") return nothing;
    if (this.#roles.roleOf(agentId, pluginKey, userId) !== undefined) return nothing;
    const now = this.#clock.now();
    const place = JSON.stringify([agentId, pluginKey]);
    let answer: { say: string | null; waits: boolean } = nothing;
    const known = this.#store.of(agentId, pluginKey).find((person) => person.userId === userId);
    if (known && !this.#getsCode(known, now)) return { say: null, waits: known.status === "waiting" };
    if (countSince(this.#told, place, now - WINDOW) >= MOST_TOLD) return nothing;
    await this.#store.change(agentId, pluginKey, (people) => {
      const others = withRoom(people, userId, now);
      if (!others) return [...people];
      const person = this.#waiting(people, userId, userName);
      note(this.#told, place, now);
      answer = { say: this.#words(agentId).notKnown(person.code ?? ""), waits: true };
      return [...others, person];
    });
    if (answer.waits) this.#audit.record({ kind: "channel.person_waits", agentId, pluginKey, userId });
    return answer;
  }

  /**
   * An owner wrote, in a chat of the channel, the code of somebody who waits there. It makes nobody an owner.
   * @throws PatchbayError DECIDING_NOT_GRANTED, NOT_THE_OWNER, PERSON_NOT_FOUND, RATE_LIMITED
   */
  async pair(
    agentId: string,
    pluginKey: string,
    { code, userId }: { code: string; userId: string },
  ): Promise<{ say: string }> {
    const refuse = (error: PatchbayError) => {
      this.#roles.refused(agentId, pluginKey, "people", { userId, code: error.code });
      return error;
    };
    if (!this.#roles.mayDecide(agentId, pluginKey)) {
      const why = `Nobody has allowed ${pluginKey} to decide from its chats.`;
      throw refuse(new PatchbayError("DECIDING_NOT_GRANTED", why));
    }
    if (this.#roles.roleOf(agentId, pluginKey, userId) !== "owner")
      throw refuse(new PatchbayError("NOT_THE_OWNER", "Only an owner may let somebody in."));
    const place = JSON.stringify([agentId, pluginKey]);
    const now = this.#clock.now();
    if (countSince(this.#wrong, place, now - WINDOW) >= MOST_WRONG) {
      const why =
        "Too many wrong codes were written. Wait ten minutes, or let the person in on Patchbay's page.";
      throw refuse(new PatchbayError("RATE_LIMITED", why));
    }
    const found = this.#store.of(agentId, pluginKey).find(this.#hasCode(code));
    if (!found) {
      note(this.#wrong, place, now);
      throw refuse(notFound());
    }
    await this.#decided(agentId, pluginKey, found.userId, "user", userId);
    return { say: this.#words(agentId).letIn(found.name ?? found.userId, found.userId) };
  }

  /**
   * The person's own decision, on the screen or in the terminal. What runs for somebody who may not write any more has
   * ended when it resolves.
   * @throws PatchbayError PERSON_NOT_FOUND
   */
  async decide(
    agentId: string,
    pluginKey: string,
    who: { userId: string } | { code: string },
    decision: PersonDecision,
  ): Promise<void> {
    const fits =
      "code" in who ? this.#hasCode(who.code) : ({ userId }: ChannelPerson) => userId === who.userId;
    const found = this.#store.of(agentId, pluginKey).find(fits);
    if (!found) throw notFound();
    await this.#decided(agentId, pluginKey, found.userId, decision);
  }

  async #decided(
    agentId: string,
    pluginKey: string,
    userId: string,
    decision: PersonDecision,
    by?: string,
  ): Promise<void> {
    const couldWrite = this.#roles.roleOf(agentId, pluginKey, userId) !== undefined;
    await this.#store.change(agentId, pluginKey, (people) => {
      const before = people.find((person) => person.userId === userId);
      const others = people.filter((person) => person !== before);
      if (!before || decision === "remove") return others;
      const { code: _code, expiresAt: _end, ...kept } = before;
      const status = decision === "refuse" ? "refused" : decision === "block" ? "blocked" : decision;
      const decidedAt = isoTime(this.#clock);
      return [...others, { ...kept, status, decidedAt, ...(by !== undefined && { decidedBy: by }) }];
    });
    this.#audit.record({
      kind: "channel.person_decided",
      agentId,
      pluginKey,
      userId,
      decision,
      ...(by !== undefined && { by }),
    });
    if (couldWrite && this.#roles.roleOf(agentId, pluginKey, userId) === undefined)
      await this.#turnOut(agentId, pluginKey, userId);
  }

  #words(agentId: string) {
    return chatWords(this.#languages.of(agentId));
  }

  #hasCode(typed: string): (person: ChannelPerson) => boolean {
    const code = codeOf(typed);
    const now = this.#clock.now();
    return (person) => person.status === "waiting" && person.code === code && !isOver(person, now);
  }

  #getsCode(person: ChannelPerson, now: number): boolean {
    switch (person.status) {
      case "waiting":
        return isOver(person, now) && (person.codes < MOST_CODES || since(person.firstSeenAt, now) > DAY);
      case "refused":
        return since(person.decidedAt ?? person.firstSeenAt, now) > DAY;
      case "user":
      case "owner":
      case "blocked":
        return false;
    }
  }

  #waiting(people: readonly ChannelPerson[], userId: string, userName: string | undefined): ChannelPerson {
    const now = this.#clock.now();
    const before = people.find((person) => person.userId === userId);
    const isFresh = !before || since(before.firstSeenAt, now) > DAY;
    const name = cleanText(userName ?? "")
      .trim()
      .slice(0, MAX_NAME)
      .toWellFormed();
    return {
      userId,
      name: name === "" ? null : name,
      status: "waiting",
      code: newCode(this.#ids),
      expiresAt: new Date(now + HOLDS).toISOString(),
      codes: isFresh ? 1 : before.codes + 1,
      firstSeenAt: isFresh ? isoTime(this.#clock) : before.firstSeenAt,
    };
  }

  #shown(agentId: string, pluginKey: string): ChannelPeople {
    const people = this.#store.of(agentId, pluginKey);
    return {
      listed: people.flatMap(({ userId, status }) =>
        status === "owner" || status === "user" ? [{ userId, role: status }] : [],
      ),
      waiting: people.filter(({ status }) => status === "waiting").map(({ userId }) => userId),
    };
  }
}

function notFound(): PatchbayError {
  return new PatchbayError("PERSON_NOT_FOUND", "Nobody of that code or id waits or is listed here.");
}

/** The others, with room for one more who waits: of those whose code has ended the oldest goes. Null: there is none. */
function withRoom(people: readonly ChannelPerson[], userId: string, now: number): ChannelPerson[] | null {
  const others = people.filter((person) => person.userId !== userId);
  const waiting = others.filter(({ status }) => status === "waiting");
  if (waiting.length < MOST_WAITING && others.length < MOST_KEPT) return others;
  const goes =
    waiting.find((person) => isOver(person, now)) ??
    (others.length >= MOST_KEPT ? others.find(({ status }) => status === "refused") : undefined);
  return goes ? others.filter((person) => person !== goes) : null;
}

function isOver({ expiresAt }: ChannelPerson, now: number): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) <= now;
}

const since = (at: string, now: number) => now - Date.parse(at);
