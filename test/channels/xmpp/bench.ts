import { type Element, xml } from "@xmpp/client";
import xmpp from "../../../plugins/xmpp/src/index.ts";
import { channelSchema, type XmppChannel } from "../../../plugins/xmpp/src/settings.ts";
import { InProcess, type InProcessOptions } from "../in-process.ts";
import { XmppPlatform, type xmppServers } from "./xmpp-platform.ts";

export const ROOM = "team@conference.localhost";
export const BOT = "ada@localhost";
const MUC = "http://jabber.org/protocol/muc";

/** The plugin in this process on a real server, for what only XMPP does. */
export class XmppBench {
  readonly platform: XmppPlatform;
  readonly #bots: InProcess[] = [];

  static async open(server: keyof typeof xmppServers): Promise<XmppBench> {
    return new XmppBench(await XmppPlatform.open(server));
  }

  private constructor(platform: XmppPlatform) {
    this.platform = platform;
  }

  /** The plugin's settings, with these in the place of those of the platform. */
  settings(change: Record<string, unknown> = {}): XmppChannel {
    // Without what the common suite says of the group.
    const {
      roomSettings: _,
      rooms: [team],
      ...common
    } = this.platform.settings().config.channel;
    const base = { ...common, rooms: [team], password: "secret-of-ada" };
    return channelSchema.parse({ ...base, ...change });
  }

  async bot(settings: Record<string, unknown> = {}, more: InProcessOptions = {}): Promise<InProcess> {
    const { channel } = xmpp.parseConfig({ channel: this.settings(settings) });
    const bot = await InProcess.start((ctx) => xmpp.channel.start(channel, ctx), more);
    this.#bots.push(bot);
    return bot;
  }

  /** Whether the owner heard that directly. */
  heard(text: string): () => boolean {
    return () => this.platform.heard("owner").some((message) => message.includes(text));
  }

  inRoom(text: string): () => boolean {
    return () => this.platform.heard("user", "group").some((message) => message.includes(text));
  }

  /** What an owner of the room does with somebody in it. */
  admin(item: Record<string, string>, room = ROOM): Promise<Element> {
    const query = xml("query", { xmlns: `${MUC}#admin` }, xml("item", item));
    return this.platform.people.owner.request(xml("iq", { type: "set", to: room }, query));
  }

  configure(fields: Record<string, string>, room = ROOM): Promise<Element> {
    const all = Object.entries({ FORM_TYPE: `${MUC}#roomconfig`, ...fields }).map(([name, value]) =>
      xml("field", { var: name }, xml("value", {}, value)),
    );
    const form = xml("x", { xmlns: "jabber:x:data", type: "submit" }, all);
    return this.#own(form, room);
  }

  destroy(room = ROOM): Promise<Element> {
    return this.#own(xml("destroy", {}), room);
  }

  async enter(person: "owner" | "user" | "stranger", nick: string, room = ROOM): Promise<void> {
    const x = xml("x", { xmlns: MUC }, xml("history", { maxstanzas: "0" }));
    await this.platform.people[person].send(xml("presence", { to: `${room}/${nick}` }, x));
  }

  /** Takes another name in a room. */
  async rename(person: "owner" | "user" | "stranger", nick: string, room = ROOM): Promise<void> {
    await this.platform.people[person].send(xml("presence", { to: `${room}/${nick}` }));
  }

  async leave(person: "owner" | "user" | "stranger", nick: string, room = ROOM): Promise<void> {
    await this.platform.people[person].send(xml("presence", { to: `${room}/${nick}`, type: "unavailable" }));
  }

  /** Ends the bots, and forgets what was heard. */
  async reset(): Promise<void> {
    for (const bot of this.#bots.splice(0).reverse()) await bot[Symbol.asyncDispose]();
    for (const person of Object.values(this.platform.people)) {
      person.heard.length = 0;
      (person.stanzas as string[]).length = 0;
    }
  }

  #own(child: Element, room: string): Promise<Element> {
    const query = xml("query", { xmlns: `${MUC}#owner` }, child);
    return this.platform.people.owner.request(xml("iq", { type: "set", to: room }, query));
  }
}
