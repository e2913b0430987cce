import type { Element } from "@xmpp/client";
import { bareOf, NS, resourceOf } from "./namespaces.ts";

/** What happened to the bot itself in a room, read from a presence stanza. */
export type RoomChange =
  | { kind: "joined"; room: string }
  | { kind: "removed"; room: string; why: string }
  | { kind: "refused"; room: string; stanza: Element };

const removals: Record<string, string> = {
  "301": "it was banned",
  "307": "it was thrown out",
  "321": "it is no member any more",
  "322": "the room is for members only now",
  "332": "the room's server is shutting down",
};

/**
 * Who is in the rooms: the bot's own name in each, and the addresses behind the other names where the room shows them.
 */
export class Occupants {
  /** By room, then by name. */
  readonly #addresses = new Map<string, Map<string, string>>();
  readonly #nicks = new Map<string, string>();
  readonly #live = new Set<string>();
  readonly #isRoom: (bare: string) => boolean;

  constructor(isRoom: (bare: string) => boolean) {
    this.#isRoom = isRoom;
  }

  nickIn(room: string): string | undefined {
    return this.#nicks.get(room);
  }

  realAddress(room: string, nick: string): string | null {
    return this.#addresses.get(room)?.get(nick) ?? null;
  }

  isLive(room: string): boolean {
    return this.#live.has(room);
  }

  /** A room sends its subject after its history, so its history ends here. */
  subject(room: string): void {
    this.#live.add(room);
  }

  /** The bot is in this room no more. */
  left(room: string): void {
    this.#live.delete(room);
    this.#addresses.delete(room);
  }

  /** The bot is in no room. */
  forget(): void {
    this.#live.clear();
    this.#addresses.clear();
    this.#nicks.clear();
  }

  /** A presence stanza. Null: nothing of the bot itself. */
  presence(stanza: Element): RoomChange | null {
    const { from = "", type } = stanza.attrs;
    const room = bareOf(from);
    if (!this.#isRoom(room)) return null;
    if (type === "error") return { kind: "refused", room, stanza };
    const nick = resourceOf(from);
    const info = stanza.getChild("x", NS.mucUser);
    const statuses = info?.getChildren("status").map(({ attrs }) => attrs.code ?? "") ?? [];
    // Not every room says so when it is destroyed.
    const self = statuses.includes("110") || (type === "unavailable" && nick === this.#nicks.get(room));
    if (type === "unavailable") {
      this.#addresses.get(room)?.delete(nick);
      if (!self || statuses.includes("303")) return null;
      this.left(room);
      const why = statuses.map((code) => removals[code]).find((word) => word !== undefined);
      const destroyed = info?.getChild("destroy") !== undefined;
      return { kind: "removed", room, why: destroyed ? "it was closed" : (why ?? "it left") };
    }
    this.#remember(room, nick, info?.getChild("item")?.attrs.jid);
    if (!self) return null;
    this.#nicks.set(room, nick);
    return { kind: "joined", room };
  }

  #remember(room: string, nick: string, address: string | undefined): void {
    const addresses = this.#addresses.get(room) ?? new Map<string, string>();
    if (address === undefined) addresses.delete(nick);
    else addresses.set(nick, bareOf(address));
    this.#addresses.set(room, addresses);
  }
}
