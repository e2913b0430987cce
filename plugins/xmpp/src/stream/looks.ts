import { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { bareOf, NS, resourceOf } from "../namespaces.ts";
import type { Archive } from "./archive.ts";

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

export interface LooksParts {
  archive: Archive;
  /** The bot's own bare address, and the server's. */
  self: string;
  domain: string;
  request(stanza: Element): Promise<Element>;
  /** Milliseconds since 1970. */
  now(): number;
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

interface Look {
  sought: Sought;
  found(found: Found): void;
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
  #keepsAll: Promise<boolean> | null = null;
  #clocks: Promise<{ ahead: number; margin: number }> | null = null;

  constructor(parts: LooksParts) {
    this.#parts = parts;
  }

  /**
   * Whether the message is there; `unknown` when there is no archive, one that does not keep everything, or one that does
   * not answer in time.
   *
   * @throws ChannelFailure the connection is gone
   */
  async has(sought: Sought): Promise<Found> {
    const { since, answers, isOwnNick } = sought;
    if ((since === undefined && !answers) || isOwnNick) return this.#alone(sought);
    return new Promise((found, failed) => {
      this.#next.push({ sought, found, failed });
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
        for (const { found } of looks.values()) found(rest);
      } catch (error) {
        for (const { found, failed } of looks.values()) {
          if (error instanceof ChannelFailure) failed(error);
          else found("unknown");
        }
      }
    }
    this.#going = null;
  }

  /** Tells of each look what was found, and takes it away. @returns what is to be said of the others */
  async #together(looks: Map<string, Look>): Promise<Found> {
    const { self } = this.#parts;
    const since = Math.min(
      ...[...looks.values()].map(({ sought }) => sought.since ?? Number.NEGATIVE_INFINITY),
    );
    const filter: Record<string, string> = Number.isFinite(since) ? { start: await this.#start(since) } : {};
    const tell = (id: string, found: Found) => {
      looks.get(id)?.found(found);
      looks.delete(id);
    };
    let before = "";
    let seen = 0;
    /** By the id of a look, after how many messages what it answers was met last. */
    const met = new Map<string, number>();
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read = await this.#parts.archive.page(self, filter, { before }, page === 0 ? FIRST_PAGE : PAGE);
      if (read === null) return "unknown";
      const missing = (await this.#keepsEverything()) ? false : "unknown";
      const questions = new Map<string, string>();
      for (const { sought } of looks.values()) {
        if (sought.answers) questions.set(questionOf(sought.conversation, sought.answers), sought.id);
      }
      for (const message of read.messages.toReversed()) {
        seen += 1;
        const from = bareOf(message.attrs.from ?? "");
        for (const id of idsOf(message)) {
          const asker = questions.get(questionOf(from, id));
          if (from === self) tell(id, true);
          else if (asker !== undefined) met.set(asker, seen);
        }
      }
      // What was answered stands before the answer, so that is not here.
      for (const [id, at] of met) if (seen - at >= BEYOND) tell(id, missing);
      if (looks.size === 0) return true;
      if (read.complete) return missing;
      before = read.first;
    }
    for (const { sought, found } of looks.values()) found(await this.#alone(sought));
    looks.clear();
    return "unknown";
  }

  /** One message in its own conversation. @throws ChannelFailure the connection is gone */
  async #alone(sought: Sought): Promise<Found> {
    try {
      return await this.#find(sought);
    } catch (error) {
      if (error instanceof ChannelFailure) throw error;
      return "unknown";
    }
  }

  async #find({ conversation, id, since, isOwnNick }: Sought): Promise<Found> {
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
      if (read === null) return "unknown";
      if (read.messages.some(isIt)) return true;
      if (read.complete) return isOwnNick || (await this.#keepsEverything()) ? false : "unknown";
      before = read.first;
    }
    return "unknown";
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

  /** Whether the account's archive keeps every message. Asked once. */
  async #keepsEverything(): Promise<boolean> {
    const prefs = xml("iq", { type: "get" }, xml("prefs", { xmlns: NS.mam }));
    this.#keepsAll ??= this.#parts
      .request(prefs)
      .then((answer) => {
        const kept = answer.getChild("prefs", NS.mam);
        const exceptions = kept?.getChild("never")?.getChildren("jid") ?? [];
        return kept?.attrs.default === "always" && exceptions.length === 0;
      })
      .catch(() => false);
    return this.#keepsAll;
  }
}

const questionOf = (conversation: string, id: string) => `${conversation}\n${id}`;

/** The ids under which a message was sent. */
function idsOf(message: Element): string[] {
  const ids = [message.attrs.id, message.getChild("origin-id", NS.stanzaId)?.attrs.id];
  return ids.filter((id) => id !== undefined);
}
