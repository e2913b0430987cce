import { createHash, randomUUID } from "node:crypto";
import type { Element } from "@xmpp/client";
import { bareOf, NS, resourceOf } from "../namespaces.ts";

/** What happened to the bot itself in a room, read from a presence stanza. */
export type RoomChange =
  | { kind: "joined"; room: string }
  | { kind: "removed"; room: string; why: string }
  | { kind: "refused"; room: string; stanza: Element };

/** Somebody in a room, as far as the room tells. */
export interface Identity {
  /** Their address; or what the room says of them that stays the same; or, with `lasting` false, of this stay alone. */
  id: string;
  lasting: boolean;
}

interface Occupant {
  /** Their bare address, where the room shows it. */
  address: string | null;
  /** What the room marks their messages with, where it does. */
  mark: string | undefined;
  /** Names their stay in the room, through changes of their name, until they leave. */
  stay: string;
}

const removals: Record<string, string> = {
  "301": "it was banned",
  "307": "it was thrown out",
  "321": "it is no member any more",
  "322": "the room is for members only now",
  "332": "the room's server is shutting down",
};

/** Who is in the rooms: the bot's own name in each, and who stands behind the other names. */
export class Occupants {
  /** By room, then by name. */
  readonly #people = new Map<string, Map<string, Occupant>>();
  readonly #nicks = new Map<string, string>();
  readonly #live = new Set<string>();
  /** Rooms that mark each message with who wrote it (XEP-0421). In others such a mark may come from anybody. */
  readonly #marking = new Set<string>();
  readonly #isRoom: (bare: string) => boolean;

  constructor(isRoom: (bare: string) => boolean) {
    this.#isRoom = isRoom;
  }

  nickIn(room: string): string | undefined {
    return this.#nicks.get(room);
  }

  /** Who wrote a message in a room. @param past the room had kept it: who has that name now may be somebody else */
  authorOf(stanza: Element, past: boolean): Identity {
    const { from = "" } = stanza.attrs;
    const room = bareOf(from);
    const mark = this.#marking.has(room) ? markOf(stanza) : undefined;
    const people = this.#people.get(room);
    const marked = past && mark !== undefined ? [...(people?.values() ?? [])] : [];
    const occupant = past ? marked.find((one) => one.mark === mark) : people?.get(resourceOf(from));
    if (occupant && occupant.address !== null) return { id: occupant.address, lasting: true };
    if (mark !== undefined) {
      const hash = createHash("sha256").update(mark).digest("hex");
      return { id: `${room}#${hash.slice(0, 32)}`, lasting: true };
    }
    if (past) return { id: from, lasting: false };
    return { id: occupant?.stay ?? from, lasting: false };
  }

  isLive(room: string): boolean {
    return this.#live.has(room);
  }

  /** The room says itself that it marks each message with who wrote it. */
  marks(room: string, on: boolean): void {
    if (on) this.#marking.add(room);
    else this.#marking.delete(room);
  }

  /** A room sends its subject after its history, so its history ends here. */
  subject(room: string): void {
    this.#live.add(room);
  }

  /** The bot is in this room no more. */
  left(room: string): void {
    this.#live.delete(room);
    this.#people.delete(room);
  }

  /** The bot is in no room. */
  forget(): void {
    this.#live.clear();
    this.#people.clear();
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
      const isRenamed = statuses.includes("303");
      this.#gone(room, nick, isRenamed ? info?.getChild("item")?.attrs.nick : undefined);
      if (!self || isRenamed) return null;
      this.left(room);
      const why = statuses.map((code) => removals[code]).find((word) => word !== undefined);
      const destroyed = info?.getChild("destroy") !== undefined;
      return { kind: "removed", room, why: destroyed ? "it was closed" : (why ?? "it left") };
    }
    this.#remember(room, nick, info?.getChild("item")?.attrs.jid, markOf(stanza));
    if (!self) return null;
    this.#nicks.set(room, nick);
    return { kind: "joined", room };
  }

  #remember(room: string, nick: string, address: string | undefined, mark: string | undefined): void {
    const people = this.#people.get(room) ?? new Map<string, Occupant>();
    const stay = people.get(nick)?.stay ?? `${room}/${nick}?${randomUUID().slice(0, 8)}`;
    people.set(nick, { address: address === undefined ? null : bareOf(address), mark, stay });
    this.#people.set(room, people);
  }

  /** @param renamed the name that they have from now on */
  #gone(room: string, nick: string, renamed: string | undefined): void {
    const people = this.#people.get(room);
    const occupant = people?.get(nick);
    people?.delete(nick);
    if (occupant && renamed !== undefined) people?.set(renamed, occupant);
  }
}

/** Only to be believed where the room says that it sets it. */
function markOf(stanza: Element): string | undefined {
  return stanza.getChild("occupant-id", NS.occupantId)?.attrs.id;
}
