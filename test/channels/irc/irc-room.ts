import type { PlatformUnderTest } from "../platform.ts";
import { SECRET } from "./bot-on.ts";
import { IrcPerson } from "./irc-person.ts";
import type { LinkedServers } from "./linked-servers.ts";

export const ROOM = "#team";

/** The two agents: who runs them and on which of the two servers they are. */
const agents = {
  /** Answers only those who are named. */
  ada: { at: "near", users: ["uma", "bob"], strangers: "pair" },
  /** Answers anybody who writes directly. */
  bob: { at: "far", users: ["uma", "ada"], strangers: "answer" },
} as const;
export type AgentName = keyof typeof agents;

/** A room on two linked servers, with two agents in it, and people on either side. */
export class IrcRoom implements PlatformUnderTest {
  readonly key = "irc";
  readonly servers: LinkedServers;
  readonly #signIn: "sasl" | "nickserv";
  readonly #people: IrcPerson[] = [];
  readonly #listeners = new Set<() => void>();

  static async open(servers: LinkedServers, signIn: "sasl" | "nickserv"): Promise<IrcRoom> {
    const room = new IrcRoom(servers, signIn);
    await room.leave(...(await room.come({ near: ["ada", "bob"] })));
    return room;
  }

  private constructor(servers: LinkedServers, signIn: "sasl" | "nickserv") {
    this.servers = servers;
    this.#signIn = signIn;
  }

  settings(agent: AgentName = "ada") {
    const { at, users, strangers } = agents[agent];
    return {
      config: {
        channel: {
          server: "127.0.0.1",
          port: this.servers[at].port,
          encrypted: false,
          nick: agent,
          account: agent,
          signIn: this.#signIn,
          channels: [ROOM],
          owners: ["olga"],
          users: [...users],
          strangers,
          joinSeconds: 0,
          botExchanges: 2,
          timeScale: 100,
        },
      },
      secrets: { password: SECRET },
    };
  }

  /** People come into the room, all at once; `account` says whether they are signed in with one that is called as they are. */
  async come(
    who: { near?: readonly string[]; far?: readonly string[] },
    account = true,
    rooms: readonly string[] = [ROOM],
  ): Promise<IrcPerson[]> {
    const of = (at: "near" | "far") => {
      const server = this.servers[at];
      return (who[at] ?? []).map((nick) => new IrcPerson(nick, server.port, rooms, () => this.#changed()));
    };
    const people = [...of("near"), ...of("far")];
    this.#people.push(...people);
    await Promise.all(people.map((person) => person.connect("", account ? SECRET : undefined)));
    return people;
  }

  /** People go; resolves when both servers know that, so that others may have their nicks. */
  async leave(...people: readonly IrcPerson[]): Promise<void> {
    for (const person of people) this.#people.splice(this.#people.indexOf(person), 1);
    await Promise.all(people.map((person) => person.quit()));
    await this.servers.synced();
  }

  async say(): Promise<void> {
    throw new Error("People of a room speak for themselves.");
  }

  heard(): readonly string[] {
    return this.#people.flatMap(({ nick, heard }) =>
      heard.map(({ where, from, text }) => `${nick} hears ${from} in ${where}: ${text}`),
    );
  }

  onHeard(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async connected(): Promise<void> {}

  async cut(): Promise<void> {
    await this.servers.split();
  }

  async restart(): Promise<void> {
    await this.servers.near.restart();
  }

  async close(): Promise<void> {
    for (const person of this.#people) person.disconnect();
    await this.servers.close();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** What an agent said to somebody directly. */
export function toldBy(agent: AgentName, person: IrcPerson): string[] {
  return person.heard.filter(({ where }) => where === agent).map(({ text }) => text);
}

/** What an agent said in the room, as somebody there heard it. */
export function saidBy(agent: AgentName, person: IrcPerson): string[] {
  return person.heard.filter(({ where, from }) => where === ROOM && from === agent).map(({ text }) => text);
}
