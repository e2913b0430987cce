import { randomUUID } from "node:crypto";
import { type ChannelClock, ChannelFailure, Rooms, within } from "@patchbay/plugin-sdk/channel";
import { type Element, xml } from "@xmpp/client";
import { joinRefusals, stanzaError } from "../failures.ts";
import { bareOf, NS, resourceOf } from "../namespaces.ts";
import { roomsOf, type XmppChannel } from "../settings.ts";
import { Occupants } from "./occupants.ts";

/** How long a room may take to let the bot in, and to show it its own message. Milliseconds. */
const ENTER_MS = 10_000;
const ECHO_MS = 30_000;
/** Most messages that a room is asked for of what was said before, where that is to be remembered. */
const HISTORY = 20;

export interface MucParts {
  settings: XmppChannel;
  clock: ChannelClock;
  /** Sends what needs no confirmation. */
  hint(stanza: Element): void;
  request(stanza: Element): Promise<Element>;
  trouble(sentence: string | null): void;
}

/** A message of the bot that its room is to show. */
interface Echo {
  room: string;
  body: string | null;
  seen(): void;
  fail(failure: ChannelFailure): void;
}

/** The bot in its rooms (XEP-0045): enters them, and again for as long as it runs, and speaks there. */
export class Muc {
  readonly occupants: Occupants;
  readonly #parts: MucParts;
  readonly #list: ReadonlyMap<string, { password: string | undefined }>;
  readonly #rooms: Rooms;
  /** Messages of the bot that their room has not shown yet, by room and id. */
  readonly #echoes = new Map<string, Echo>();
  readonly #entering = new Map<string, PromiseWithResolvers<void>>();

  constructor(parts: MucParts) {
    this.#parts = parts;
    const { settings } = parts;
    this.#list = roomsOf(settings);
    this.occupants = new Occupants((bare) => this.#list.has(bare));
    this.#rooms = new Rooms({
      rooms: [...this.#list.keys()],
      clock: parts.clock,
      join: (room) => this.#enter(room, settings.nick),
      trouble: parts.trouble,
    });
  }

  has(bare: string): boolean {
    return this.#list.has(bare);
  }

  nickIn(room: string): string {
    return this.occupants.nickIn(room) ?? this.#parts.settings.nick;
  }

  /** Whether a name in a room is one that the bot takes; an earlier process may have had another of them. */
  isOwnNick(nick: string): boolean {
    const { nick: base } = this.#parts.settings;
    return nick === base || (nick.startsWith(`${base}-`) && /^-[0-9a-f]{4}$/.test(nick.slice(base.length)));
  }

  /** A new stream has begun: the bot is in no room. */
  enterAll(): void {
    this.occupants.forget();
    this.#failAll(new ChannelFailure("offline", "The connection was lost."));
    this.#rooms.joinAll();
  }

  stop(): void {
    this.#rooms.stop();
    this.#failAll(new ChannelFailure("offline", "The connection was lost."));
  }

  /**
   * Resolves when the bot is in the room.
   *
   * @throws ChannelFailure `rate-limited` when it is not let in for now: what is to be said waits for that
   */
  async inside(room: string): Promise<void> {
    if (this.occupants.isLive(room)) return;
    const entering = this.#entering.get(room) ?? Promise.withResolvers<void>();
    this.#entering.set(room, entering);
    const late = () => new ChannelFailure("rate-limited", `The bot is not in ${room}.`);
    await within(this.#parts.clock, ENTER_MS, entering.promise, late);
  }

  /**
   * Says something in a room, and resolves when the room has shown it to everybody.
   *
   * @throws ChannelFailure `rate-limited` when the room takes it later, `refused` when never, `offline` when nobody knows
   */
  async say(room: string, stanza: Element, send: () => Promise<void>): Promise<void> {
    await this.inside(room);
    const key = `${room}\n${stanza.attrs.id}`;
    const shown = new Promise<void>((seen, fail) => {
      this.#echoes.set(key, { room, body: stanza.getChildText("body"), seen, fail });
    });
    const sent = send().then(() => shown);
    const late = () => new ChannelFailure("offline", `${room} does not show what the bot says.`);
    try {
      await within(this.#parts.clock, ECHO_MS, Promise.race([shown, sent]), late);
    } finally {
      this.#echoes.delete(key);
    }
  }

  /** A message from a room that concerns the bot itself, and is nothing that somebody said. @returns whether it was one */
  message(stanza: Element): boolean {
    const { from = "", type, id = "" } = stanza.attrs;
    const room = bareOf(from);
    const invitedTo = bareOf(stanza.getChild("x", NS.invitation)?.attrs.jid ?? "");
    if (this.#list.has(invitedTo)) this.#rooms.mayWork(invitedTo);
    if (!this.#list.has(room)) return invitedTo !== "" && stanza.getChild("body") === undefined;
    if (type === "error") {
      this.#echoes.get(`${room}\n${id}`)?.fail(this.#bounced(room, stanza));
      return true;
    }
    const about = stanza.getChild("x", NS.mucUser);
    if (resourceOf(from) === "" && about) {
      // An invitation, or that the bot may come in now.
      if (about.getChild("invite") || about.getChild("item")) this.#rooms.mayWork(room);
      return true;
    }
    if (type !== "groupchat") return false;
    if (stanza.getChild("subject") && !stanza.getChild("body")) {
      this.occupants.subject(room);
      this.#entering.get(room)?.resolve();
      this.#entering.delete(room);
      return true;
    }
    if (resourceOf(from) !== this.nickIn(room)) return false;
    this.#shown(room, stanza);
    return false;
  }

  presence(stanza: Element): void {
    const change = this.occupants.presence(stanza);
    if (!change) return;
    const { room } = change;
    if (change.kind === "joined") {
      this.#rooms.joined(room);
      // A room that was just made could not say it before.
      this.#askAbout(room);
    } else if (change.kind === "removed") {
      this.#rooms.removed(room, `The bot is not in ${room} any more: ${change.why}.`);
    } else {
      const { condition, text } = stanzaError(change.stanza);
      const why = joinRefusals[condition] ?? condition;
      this.#rooms.refused(room, `${room} cannot be entered: ${why}${text === "" ? "" : ` (${text})`}.`);
      const { nick } = this.#parts.settings;
      if (condition === "conflict") this.#enter(room, `${nick}-${randomUUID().slice(0, 4)}`);
    }
  }

  /** What a room says of itself (XEP-0030). */
  information(stanza: Element): void {
    const { from = "", type } = stanza.attrs;
    const query = stanza.getChild("query", NS.discoInfo);
    if (type !== "result" || !query || !this.#list.has(from.toLowerCase())) return;
    const features = query.getChildren("feature").map(({ attrs }) => attrs.var);
    this.occupants.marks(from.toLowerCase(), features.includes(NS.occupantId));
  }

  /** Asks each room whether the bot is still in it (XEP-0410), and enters again where it is not. */
  async check(): Promise<void> {
    for (const room of this.#list.keys()) {
      if (!this.occupants.isLive(room)) continue;
      const to = `${room}/${this.nickIn(room)}`;
      try {
        await this.#parts.request(xml("iq", { type: "get", to }, xml("ping", { xmlns: NS.ping })));
      } catch (error) {
        const { condition = "" } = error as { condition?: string };
        if (!["not-acceptable", "item-not-found"].includes(condition)) continue;
        this.occupants.left(room);
        this.#rooms.removed(room, `The bot is not in ${room} any more.`);
      }
    }
  }

  #enter(room: string, nick: string): void {
    const password = this.#list.get(room)?.password;
    // Asked first, because the room sends what it has kept as soon as the bot is in.
    this.#askAbout(room);
    const history = xml("history", { maxstanzas: this.#parts.settings.listen ? HISTORY : 0 });
    const x = xml("x", { xmlns: NS.muc }, history, password !== undefined && xml("password", {}, password));
    this.#parts.hint(xml("presence", { to: `${room}/${nick}` }, x));
  }

  #askAbout(room: string): void {
    const query = xml("query", { xmlns: NS.discoInfo });
    this.#parts.hint(xml("iq", { type: "get", to: room, id: `about-${randomUUID()}` }, query));
  }

  /** Some rooms, which stand for other networks, show a message under another id. */
  #shown(room: string, stanza: Element): void {
    const ids = [stanza.attrs.id, stanza.getChild("origin-id", NS.stanzaId)?.attrs.id];
    const known = ids.map((id) => this.#echoes.get(`${room}\n${id}`)).find((echo) => echo !== undefined);
    const body = stanza.getChildText("body");
    const alike = () => [...this.#echoes.values()].find((echo) => echo.room === room && echo.body === body);
    (known ?? alike())?.seen();
  }

  #bounced(room: string, stanza: Element): ChannelFailure {
    const { condition, text, passing } = stanzaError(stanza);
    const why = text || condition;
    if (condition === "not-acceptable" || condition === "item-not-found") {
      this.occupants.left(room);
      this.#rooms.removed(room, `The bot is not in ${room} any more.`);
      return new ChannelFailure("rate-limited", `The bot is not in ${room}.`);
    }
    if (passing) return new ChannelFailure("rate-limited", `${room} takes no more for now: ${why}`);
    return new ChannelFailure("refused", `${room} did not take it: ${why}`);
  }

  #failAll(failure: ChannelFailure): void {
    for (const { fail } of this.#echoes.values()) fail(failure);
    this.#echoes.clear();
  }
}
