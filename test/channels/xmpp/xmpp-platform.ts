import { xml } from "@xmpp/client";
import { inOwnRoom, type Person, type Place, type PlatformUnderTest } from "../platform.ts";
import { TcpProxy } from "../tcp-proxy.ts";
import { Ejabberd } from "./ejabberd.ts";
import { Prosody } from "./prosody.ts";
import type { XmppServer } from "./server.ts";
import { XmppPerson } from "./xmpp-person.ts";

const BOT = "ada";
const BOT_ADDRESS = `${BOT}@localhost`;
const places: Record<Exclude<Place, "dm">, string> = {
  group: "team@conference.localhost",
  "other group": "other@conference.localhost",
  "own room": "own@conference.localhost",
};

/** Accounts: the bot's, that of another bot, those of its people, and one that looks like that of the owner. */
const accounts = [BOT, "bea", "olga", "uma", "stan", "0lga"];

/** The real servers that the channel is tested against, with and without an archive. */
export const xmppServers = {
  prosody: () => Prosody.open(accounts),
  ejabberd: () => Ejabberd.open(accounts),
  "prosody without an archive": () => Prosody.open(accounts, { forgetful: true }),
} satisfies Record<string, () => Promise<XmppServer>>;

/** A real server, with a proxy before the bot, and people with clients of their own. */
export class XmppPlatform implements PlatformUnderTest {
  readonly key = "xmpp";
  readonly server: XmppServer;
  readonly proxy: TcpProxy;
  readonly people: Record<Person, XmppPerson>;
  readonly #listeners = new Set<() => void>();

  static async open(name: keyof typeof xmppServers = "prosody"): Promise<XmppPlatform> {
    const server = await xmppServers[name]();
    const platform = new XmppPlatform(server, await TcpProxy.open(() => server.port));
    await platform.#connectAll();
    return platform;
  }

  private constructor(server: XmppServer, proxy: TcpProxy) {
    this.server = server;
    this.proxy = proxy;
    const person = (name: string) =>
      new XmppPerson(
        name,
        () => server.port,
        Object.values(places),
        () => {
          for (const listener of this.#listeners) listener();
        },
      );
    this.people = { owner: person("olga"), user: person("uma"), stranger: person("stan") };
  }

  settings() {
    return {
      config: {
        channel: {
          jid: BOT_ADDRESS,
          host: `127.0.0.1:${this.proxy.port}`,
          encrypted: false,
          nick: BOT,
          rooms: [places.group, places["own room"]],
          // The room does not show who its people are, so nobody in it is on a list.
          groupsOnlyListed: false,
          roomSettings: [{ room: places["own room"], ...inOwnRoom, people: "everybody" }],
          owners: ["olga@localhost"],
          users: ["uma@localhost"],
          fileHosts: ["127.0.0.1"],
          joinSeconds: 0,
          timeScale: 400,
        },
      },
      secrets: { password: `secret-of-${BOT}` },
    };
  }

  async say(person: Person, text: string, where: { place?: Place; addressed?: boolean } = {}): Promise<void> {
    const { place = "dm", addressed = true } = where;
    if (place === "dm") await this.people[person].say(BOT_ADDRESS, "chat", text);
    else await this.people[person].say(places[place], "groupchat", `${addressed ? `${BOT}: ` : ""}${text}`);
  }

  sayAgain(person: Person): Promise<void> {
    return this.people[person].again();
  }

  heard(person: Person, place: Place = "dm"): readonly string[] {
    return this.people[person].heard
      .filter(({ where, nick }) =>
        place === "dm" ? where === BOT_ADDRESS : where === places[place] && nick.startsWith(BOT),
      )
      .map(({ text }) => text);
  }

  onHeard(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The bot answers a ping through its room: it is there, reads, and is in the room. */
  async connected(): Promise<void> {
    for (;;) {
      const ping = xml("ping", { xmlns: "urn:xmpp:ping" });
      const asked = xml("iq", { type: "get", to: `${places.group}/${BOT}` }, ping);
      try {
        await this.people.user.request(asked, 500);
        return;
      } catch {
        // Not there yet; the server answers so, or nobody does.
        await this.people.user.synced();
      }
    }
  }

  async cut(): Promise<void> {
    this.proxy.cut();
  }

  async restart(): Promise<void> {
    await this.server.restart();
    await this.#connectAll();
  }

  async refuse(refused: boolean): Promise<void> {
    await this.server.setPassword(BOT, refused ? "another" : `secret-of-${BOT}`);
    this.proxy.cut();
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.people).map((person) => person.disconnect()));
    await this.proxy.close();
    await this.server.close();
  }

  async #connectAll(): Promise<void> {
    for (const person of Object.values(this.people)) await person.connect();
  }
}
