import type { Element } from "@xmpp/client";
import { bareOf, NS } from "./namespaces.ts";

/** Most messages of rooms whose two ids are remembered. */
const MOST = 1_000;

/** The id that an archive or a room gave to a message; not every one gives any. */
export function idGivenBy(by: string, stanza: Element): string | undefined {
  return stanza.getChildren("stanza-id", NS.stanzaId).find((child) => bareOf(child.attrs.by ?? "") === by)
    ?.attrs.id;
}

/**
 * The ids of messages in rooms. Reactions name a message by the id that the room gave it, corrections by that of its sender;
 * so which belong together is remembered.
 */
export class RoomIds {
  /** The room's id, by its sender and the sender's id. */
  readonly #given = new Map<string, string>();

  /** @param corrects the id, as its sender gave it, of the message that this one corrects */
  inRoom(stanza: Element, corrects: string | undefined): string | undefined {
    const { from = "", id } = stanza.attrs;
    if (corrects !== undefined) return this.#given.get(`${from}\n${corrects}`) ?? corrects;
    const given = idGivenBy(bareOf(from), stanza);
    if (given === undefined || id === undefined) return given ?? id;
    this.#given.set(`${from}\n${id}`, given);
    const [oldest] = this.#given.keys();
    if (this.#given.size > MOST && oldest !== undefined) this.#given.delete(oldest);
    return given;
  }
}
