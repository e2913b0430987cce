import { type ChannelClock, ChannelFailure, pauseForServer } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { bareOf, NS, resourceOf } from "../namespaces.ts";
import { type Archive, passes } from "./archive.ts";

/** Messages of the first page of a look: what is looked for is nearly always among the newest. Of further ones. */
const FIRST_PAGE = 10;
const PAGE = 100;
/** Most pages that are read for one look. */
const MOST_PAGES = 10;
/**
 * How many older messages are read beyond what was answered. A person's program that was cut off may send a message again:
 * then a copy of it stands behind the answer.
 */
const BEYOND = 50;
/** By how much the server's time of a message may differ from ours, where its clock can be asked and where not. Milliseconds. */
const MARGIN_MS = 60_000;
const CLOCKS_DIFFER_MS = 60 * 60_000;
/**
 * How long after signing in a server may still be at what the process of before had sent, in milliseconds. ejabberd puts
 * such messages into its archive later than it answers the first questions of the new process.
 */
const SETTLED_MS = 4_000;
/** How often a server that does not answer in time is asked. */
const MOST_TRIES = 3;

export interface LooksParts {
  archive: Archive;
  /** The bot's own bare address, and the server's. */
  self: string;
  domain: string;
  request(stanza: Element): Promise<Element>;
  /** Milliseconds since 1970. */
  now(): number;
  clock: ChannelClock;
  /** The session is closed. */
  stopped: AbortSignal;
}

/** What is looked for: a message that the bot sent. */
export interface Sought {
  /** Bare address of the person or the room. */
  conversation: string;
  /** The id under which it was sent. */
  id: string;
  /** The id of the person's message that it answers: the archive has that before it. */
  answers?: string;
  /** Milliseconds since 1970. */
  since: number | undefined;
  /** In a room: whether this name is the bot's. Absent in a direct conversation. */
  isOwnNick?: (nick: string) => boolean;
}

type Found = boolean | "unknown";
/** `perhaps`: not found, in an archive that does not keep everything. */
type Outcome = "there" | "missing" | "perhaps" | "no_archive" | "no_answer";

interface Look {
  sought: Sought;
  ended(outcome: Outcome): void;
  failed(failure: ChannelFailure): void;
}

/**
 * Looks in the archives whether messages were sent. After a kill that is asked for many conversations at once. Small
 * servers read the whole archive for each question, so all direct conversations are looked for in one go, from the newest
 * message of the account backwards.
 */
export class Looks {
  readonly #parts: LooksParts;
  /** Looks that wait for the next go. */
  #next: Look[] = [];
  #going: Promise<void> | null = null;
  /** Resolves when the server has settled after the bot came in; null: it has. */
  #settling: Promise<void> | null = null;
  #keepsAll: Promise<boolean> | null = null;
  #clocks: Promise<{ ahead: number; margin: number }> | null = null;

  constructor(parts: LooksParts) {
    this.#parts = parts;
  }

  /** The bot has come in: what is not found from here on is looked for once more when the server has settled. */
  cameIn(): void {
    const { clock, stopped } = this.#parts;
    const settling = pauseForServer(clock, SETTLED_MS, stopped).then(() => {
      if (this.#settling === settling) this.#settling = null;
    });
    this.#settling = settling;
  }

  /**
   * Whether the message is there; `unknown` when there is no archive, one that does not keep everything, or one that does
   * not answer in time, however often it is asked.
   *
   * @throws ChannelFailure the connection is gone
   */
  async has(sought: Sought): Promise<Found> {
    for (let tries = 1; ; ) {
      const settling = this.#settling;
      const outcome = await this.#look(sought);
      switch (outcome) {
        case "there":
          return true;
        case "no_archive":
          return "unknown";
        case "no_answer":
          if (tries === MOST_TRIES) return "unknown";
          tries += 1;
          break;
        case "missing":
        case "perhaps":
          if (settling === null) return outcome === "missing" ? false : "unknown";
          await settling;
      }
    }
  }

  #look(sought: Sought): Promise<Outcome> {
    const { since, answers, isOwnNick } = sought;
    if ((since === undefined && !answers) || isOwnNick) return this.#alone(sought);
    return new Promise((ended, failed) => {
      this.#next.push({ sought, ended, failed });
      this.#going ??= this.#go();
    });
  }

  async #go(): Promise<void> {
    while (this.#next.length > 0) {
      // Those that come in while the clock is asked, or the go before reads, come along.
      await this.#clock();
      const looks = new Map(this.#next.splice(0).map((look) => [look.sought.id, look]));
      try {
        const rest = await this.#together(looks);
        for (const { ended } of looks.values()) ended(rest);
      } catch (error) {
        for (const { ended, failed } of looks.values()) {
          if (error instanceof ChannelFailure) failed(error);
          else ended("no_answer");
        }
      }
    }
    this.#going = null;
  }

  /** Tells of each look what was found, and takes it away. @returns what is to be said of the others */
  async #together(looks: Map<string, Look>): Promise<Outcome> {
    const { self } = this.#parts;
    const since = Math.min(
      ...[...looks.values()].map(({ sought }) => sought.since ?? Number.NEGATIVE_INFINITY),
    );
    const filter: Record<string, string> = Number.isFinite(since) ? { start: await this.#start(since) } : {};
    const tell = (id: string, outcome: Outcome) => {
      looks.get(id)?.ended(outcome);
      looks.delete(id);
    };
    let before = "";
    let seen = 0;
    /** By the id of a look, after how many messages what it answers was met last. */
    const met = new Map<string, number>();
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read = await this.#parts.archive.page(self, filter, { before }, page === 0 ? FIRST_PAGE : PAGE);
      if (read === null) return "no_archive";
      const missing = await this.#missing();
      const questions = new Map<string, string>();
      for (const { sought } of looks.values()) {
        if (sought.answers) questions.set(questionOf(sought.conversation, sought.answers), sought.id);
      }
      for (const message of read.messages.toReversed()) {
        seen += 1;
        const from = bareOf(message.attrs.from ?? "");
        for (const id of idsOf(message)) {
          const asker = questions.get(questionOf(from, id));
          if (from === self) tell(id, "there");
          else if (asker !== undefined) met.set(asker, seen);
        }
      }
      // What was answered stands before the answer, so that is not here.
      for (const [id, at] of met) if (seen - at >= BEYOND) tell(id, missing);
      if (looks.size === 0) return "there";
      if (read.complete) return missing;
      before = read.first;
    }
    for (const { sought, ended } of looks.values()) ended(await this.#alone(sought));
    looks.clear();
    return "perhaps";
  }

  /** One message in its own conversation. @throws ChannelFailure the connection is gone */
  async #alone(sought: Sought): Promise<Outcome> {
    try {
      return await this.#find(sought);
    } catch (error) {
      if (error instanceof ChannelFailure) throw error;
      return "no_answer";
    }
  }

  async #find({ conversation, id, since, isOwnNick }: Sought): Promise<Outcome> {
    const { self } = this.#parts;
    const archive = isOwnNick ? conversation : self;
    const isIt = (message: Element) => {
      const from = message.attrs.from ?? "";
      const isOwn = isOwnNick ? isOwnNick(resourceOf(from)) : true;
      return bareOf(from) === archive && isOwn && idsOf(message).includes(id);
    };
    const filter = {
      ...(!isOwnNick && { with: conversation }),
      ...(since !== undefined && { start: await this.#start(since) }),
    };
    let before = "";
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const most = page === 0 ? FIRST_PAGE : PAGE;
      const read = await this.#parts.archive.page(archive, filter, { before }, most);
      if (read === null) return "no_archive";
      if (read.messages.some(isIt)) return "there";
      if (read.complete) return isOwnNick ? "missing" : this.#missing();
      before = read.first;
    }
    return "perhaps";
  }

  /** From when on the archive is read, in the server's time. */
  async #start(since: number): Promise<string> {
    const { ahead, margin } = await this.#clock();
    return new Date(since + ahead - margin).toISOString();
  }

  /** By how much the server's clock is ahead (XEP-0202), and how sure that is; milliseconds. Asked once. */
  #clock(): Promise<{ ahead: number; margin: number }> {
    const { domain, request, now } = this.#parts;
    const asked = now();
    this.#clocks ??= request(xml("iq", { type: "get", to: domain }, xml("time", { xmlns: NS.time })))
      .then((answer) => {
        const time = Date.parse(answer.getChild("time", NS.time)?.getChildText("utc") ?? "");
        if (Number.isNaN(time)) return { ahead: 0, margin: CLOCKS_DIFFER_MS };
        return { ahead: time - (asked + now()) / 2, margin: MARGIN_MS };
      })
      .catch(() => ({ ahead: 0, margin: CLOCKS_DIFFER_MS }));
    return this.#clocks;
  }

  async #missing(): Promise<Outcome> {
    return (await this.#keepsEverything()) ? "missing" : "perhaps";
  }

  /** Whether the account's archive keeps every message. Asked until it was answered. @throws what passes, as `Archive.page` */
  #keepsEverything(): Promise<boolean> {
    const prefs = xml("iq", { type: "get" }, xml("prefs", { xmlns: NS.mam }));
    this.#keepsAll ??= this.#parts.request(prefs).then(
      (answer) => {
        const kept = answer.getChild("prefs", NS.mam);
        const exceptions = kept?.getChild("never")?.getChildren("jid") ?? [];
        return kept?.attrs.default === "always" && exceptions.length === 0;
      },
      (error) => {
        if (!passes(error)) return false;
        this.#keepsAll = null;
        throw error;
      },
    );
    return this.#keepsAll;
  }
}

const questionOf = (conversation: string, id: string) => `${conversation}\n${id}`;

/** The ids under which a message was sent. */
function idsOf(message: Element): string[] {
  const ids = [message.attrs.id, message.getChild("origin-id", NS.stanzaId)?.attrs.id];
  return ids.filter((id) => id !== undefined);
}
