import { randomUUID } from "node:crypto";
import { type Element, xml } from "@xmpp/client";
import { bareOf, NS } from "../namespaces.ts";

/** Messages of one page, and most pages that are read for one look. */
const PAGE = 100;
const MOST_PAGES = 10;
/** Most pages that are read of what came while the bot was away. */
const MOST_MISSED_PAGES = 100;
/** By how much the clock of a server and that of this machine may differ, in milliseconds. */
const CLOCKS_DIFFER_MS = 60 * 60_000;

export interface ArchiveParts {
  /** The bot's own bare address. */
  self: string;
  request(stanza: Element): Promise<Element>;
}

/** What is looked for: a message that the bot sent. */
export interface Sought {
  /** Bare address of the person or the room. */
  conversation: string;
  /** The id under which it was sent. */
  id: string;
  /** Milliseconds since 1970. */
  since: number | undefined;
  /** In a room: whether this name is the bot's. Absent in a direct conversation. */
  isOwnNick?: (nick: string) => boolean;
}

/** What a server keeps of conversations (XEP-0313): of the account, and of each room. */
export class Archive {
  readonly #parts: ArchiveParts;
  /** Looks that are under way, by the id of their question: what was found comes in messages before the answer. */
  readonly #looks = new Map<string, { archive: string; found(message: Element): void }>();
  #keepsAll: Promise<boolean> | null = null;

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
  }

  /** Takes a message that comes from an archive. @returns whether it was one */
  take(stanza: Element): boolean {
    const result = stanza.getChild("result", NS.mam);
    if (!result) return false;
    const look = this.#looks.get(result.attrs.queryid ?? "");
    const from = bareOf(stanza.attrs.from ?? this.#parts.self);
    const message = result.getChild("forwarded", NS.forward)?.getChild("message");
    if (look?.archive === from && message) look.found(withArchiveId(message, from, result.attrs.id));
    return true;
  }

  /** Whether the message is there; `unknown` when there is no archive, or one that does not keep everything. */
  async has(sought: Sought): Promise<boolean | "unknown"> {
    const { conversation, id, since, isOwnNick } = sought;
    const archive = isOwnNick ? conversation : this.#parts.self;
    const isIt = (message: Element) => {
      const [from = "", nick = ""] = splitAddress(message.attrs.from ?? "");
      const own = isOwnNick ? from === conversation && isOwnNick(nick) : from === this.#parts.self;
      const ids = [message.attrs.id, message.getChild("origin-id", NS.stanzaId)?.attrs.id];
      return own && ids.includes(id);
    };
    const start = since === undefined ? null : new Date(since - CLOCKS_DIFFER_MS).toISOString();
    const filter = { ...(!isOwnNick && { with: conversation }), ...(start !== null && { start }) };
    let before = "";
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read = await this.#page(archive, filter, { before });
      if (read === null) return "unknown";
      if (read.messages.some(isIt)) return true;
      if (read.complete) return isOwnNick || (await this.#keepsEverything()) ? false : "unknown";
      before = read.first;
    }
    return "unknown";
  }

  /** The id of the newest message of the account; null when there is none, or no archive. */
  async newest(): Promise<string | null> {
    const read = await this.#page(this.#parts.self, {}, { before: "" }, 1);
    return read?.last || null;
  }

  /**
   * Gives the messages of the account that came after the one with this id (null: all), oldest first, up to ten thousand.
   *
   * @returns the id of the last one; null when there was none
   */
  async after(id: string | null, take: (message: Element) => void): Promise<string | null> {
    let last: string | null = null;
    for (let page = 0; page < MOST_MISSED_PAGES; page += 1) {
      const read = await this.#page(this.#parts.self, {}, afterThat(last ?? id));
      // The archive has forgotten the message, or cannot be read: it is begun anew from its end.
      if (read === null) return this.newest();
      for (const message of read.messages) take(message);
      last = read.last || last;
      if (read.complete) return last;
    }
    return this.newest();
  }

  /** One page, from its end backwards or forwards. Null: it cannot be read. @throws what is no answer of the server */
  async #page(
    archive: string,
    filter: Record<string, string>,
    from: Record<string, string>,
    most = PAGE,
  ): Promise<{ messages: Element[]; complete: boolean; first: string; last: string } | null> {
    const queryid = randomUUID();
    const messages: Element[] = [];
    this.#looks.set(queryid, { archive, found: (message) => messages.push(message) });
    const fields = Object.entries({ FORM_TYPE: NS.mam, ...filter }).map(([name, value]) =>
      xml("field", { var: name, ...(name === "FORM_TYPE" && { type: "hidden" }) }, xml("value", {}, value)),
    );
    const query = xml(
      "query",
      { xmlns: NS.mam, queryid },
      xml("x", { xmlns: NS.forms, type: "submit" }, fields),
      xml(
        "set",
        { xmlns: NS.pages },
        xml("max", {}, String(most)),
        Object.entries(from).map(([name, value]) => xml(name, {}, value)),
      ),
    );
    const to = archive === this.#parts.self ? undefined : archive;
    try {
      const answer = await this.#parts.request(xml("iq", { type: "set", ...(to && { to }) }, query));
      const fin = answer.getChild("fin", NS.mam);
      const set = fin?.getChild("set", NS.pages);
      const first = set?.getChildText("first") ?? "";
      const last = set?.getChildText("last") ?? "";
      return { messages, complete: fin?.attrs.complete === "true" || first === "", first, last };
    } catch (error) {
      if ((error as { condition?: string }).condition !== undefined) return null;
      throw error;
    } finally {
      this.#looks.delete(queryid);
    }
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

/** The message with the id that the archive gave it, as it has when it comes in by itself: repetitions are known by it. */
function withArchiveId(message: Element, archive: string, id: string | undefined): Element {
  const has = message
    .getChildren("stanza-id", NS.stanzaId)
    .some(({ attrs }) => bareOf(attrs.by ?? "") === archive);
  if (!has && id !== undefined) message.append(xml("stanza-id", { xmlns: NS.stanzaId, by: archive, id }));
  return message;
}

const afterThat = (id: string | null): Record<string, string> => (id === null ? {} : { after: id });

function splitAddress(address: string): [string, string] {
  const slash = address.indexOf("/");
  return slash < 0 ? [bareOf(address), ""] : [bareOf(address), address.slice(slash + 1)];
}
