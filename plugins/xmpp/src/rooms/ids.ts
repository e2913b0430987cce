import type { Element } from "@xmpp/client";
import { bareOf, NS } from "../namespaces.ts";
import type { Identity } from "./occupants.ts";

/** Most messages of rooms whose two ids are remembered. */
const MOST = 1_000;

/** The id that an archive or a room gave to a message; not every one gives any. */
export function idGivenBy(by: string, stanza: Element): string | undefined {
  return stanza.getChildren("stanza-id", NS.stanzaId).find((child) => bareOf(child.attrs.by ?? "") === by)
    ?.attrs.id;
}

/**
 * The ids of messages in rooms. Reactions name a message by the id that the room gave it, corrections by that of its sender;
 * so which belong together is remembered, and who it was.
 */
export class RoomIds {
  /** By the name of the sender and the sender's id. */
  readonly #known = new Map<string, { id: string; author: string }>();

  /** The id of a message. */
  of(stanza: Element, author: Identity): string | undefined {
    const { from = "", id: own } = stanza.attrs;
    const id = idGivenBy(bareOf(from), stanza) ?? own;
    if (id === undefined || own === undefined) return id;
    this.#known.set(`${from}\n${own}`, { id, author: author.id });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
    return id;
  }

  /**
   * The id of a message that is corrected; null when it was somebody else's who had the same name.
   *
   * @param own the id that its sender gave it
   */
  corrected(from: string, own: string, author: Identity): string | null {
    const known = this.#known.get(`${from}\n${own}`);
    if (known) return known.author === author.id ? known.id : null;
    return author.lasting ? own : null;
  }
}
