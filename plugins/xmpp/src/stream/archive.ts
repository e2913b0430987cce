import { randomUUID } from "node:crypto";
import type { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { bareOf, NS } from "../namespaces.ts";

/** Messages of one page. */
const PAGE = 100;
/** How long a server may take for one page, in milliseconds. Large archives of small servers take seconds. */
const PAGE_MS = 30_000;
/** Conditions of errors that pass by themselves. */
const PASSING = new Set([
  "internal-server-error",
  "policy-violation",
  "remote-server-timeout",
  "resource-constraint",
]);
/** Most pages that are read of what came while the bot was away. */
const MOST_MISSED_PAGES = 100;
export interface ArchiveParts {
  /** The bot's own bare address. */
  self: string;
  /** @param ms how long the answer may take, milliseconds */
  request(stanza: Element, ms?: number): Promise<Element>;
}

/**
 * What a server keeps of conversations (XEP-0313): of the account, and of each room. It is asked for one page after the
 * other: what it gives counts as stanzas that are under way, and a server ends a connection with too many of them.
 */
export class Archive {
  readonly #parts: ArchiveParts;
  /** Looks that are under way, by the id of their question: what was found comes in messages before the answer. */
  readonly #looks = new Map<string, { archive: string; found(message: Element): void }>();
  /** Resolves when the page before was read. */
  #before: Promise<unknown> = Promise.resolve();
  #cut = Promise.withResolvers<never>();

  constructor(parts: ArchiveParts) {
    this.#parts = parts;
    this.#cut.promise.catch(() => {});
  }

  /** The connection is gone: what was asked on it will not be answered. */
  cut(failure: ChannelFailure): void {
    this.#cut.reject(failure);
    this.#cut = Promise.withResolvers<never>();
    this.#cut.promise.catch(() => {});
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

  /** Whether the server keeps messages of the account. @throws what passes, as `page` */
  async isThere(): Promise<boolean> {
    return (await this.page(this.#parts.self, {}, { before: "" }, 1)) !== null;
  }

  /** The id of the newest message of the account; null when there is none, or no archive. */
  async newest(): Promise<string | null> {
    const read = await this.page(this.#parts.self, {}, { before: "" }, 1);
    return read?.last || null;
  }

  /**
   * Gives the messages of the account that came after the one with this id (null: all), oldest first, up to ten thousand.
   *
   * @returns up to where it was read; null when there was nothing
   * @throws why not all were given; those that were are the oldest
   */
  async after(id: string | null, take: (message: Element) => void): Promise<ReadUpTo | null> {
    let last: string | null = null;
    let before = id;
    for (let page = 0; page < MOST_MISSED_PAGES; page += 1) {
      const read = await this.page(this.#parts.self, {}, afterThat(last ?? id));
      // The archive has forgotten the message, or cannot be read: it is begun anew from its end.
      if (read === null) break;
      for (const message of read.messages) take(message);
      if (read.last) {
        before = last ?? id;
        last = read.last;
      }
      if (read.complete) return last === null ? null : { last, before };
    }
    const newest = await this.newest();
    return newest === null ? null : { last: newest, before: newest };
  }

  /**
   * One page, from its end backwards or forwards. Null: the server has no such archive, or has forgotten the place.
   *
   * @throws what passes: a connection that is gone, a server that does not answer in time or has too much to do
   */
  page(
    archive: string,
    filter: Record<string, string>,
    from: Record<string, string>,
    most = PAGE,
  ): Promise<Page | null> {
    const read = this.#before.then(() => this.#read(archive, filter, from, most));
    this.#before = read.catch(() => {});
    return read;
  }

  async #read(
    archive: string,
    filter: Record<string, string>,
    from: Record<string, string>,
    most: number,
  ): Promise<Page | null> {
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
      const asked = this.#parts.request(xml("iq", { type: "set", ...(to && { to }) }, query), PAGE_MS);
      const answer = await Promise.race([asked, this.#cut.promise]);
      const fin = answer.getChild("fin", NS.mam);
      const set = fin?.getChild("set", NS.pages);
      const first = set?.getChildText("first") ?? "";
      const last = set?.getChildText("last") ?? "";
      return { messages, complete: fin?.attrs.complete === "true" || first === "", first, last };
    } catch (error) {
      if (passes(error)) throw error;
      return null;
    } finally {
      this.#looks.delete(queryid);
    }
  }
}

/** Whether a question that failed so may be answered when it is asked again. */
export function passes(error: unknown): boolean {
  const { condition } = error as { condition?: string };
  return condition === undefined || PASSING.has(condition);
}

/** Up to where an archive was read: the id of the last message, and of the last one on the page before; null: from its beginning. */
export interface ReadUpTo {
  last: string;
  before: string | null;
}

export interface Page {
  messages: Element[];
  /** Nothing follows, in the direction in which it was read. */
  complete: boolean;
  /** Ids of its first and its last message; empty when there are none. */
  first: string;
  last: string;
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
