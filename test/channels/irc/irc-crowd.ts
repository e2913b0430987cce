import { type Crowd, someAtATime } from "../crowd.ts";
import type { Person } from "../platform.ts";
import { TcpProxy } from "../tcp-proxy.ts";
import { IrcPerson } from "./irc-person.ts";
import { Ngircd } from "./ngircd.ts";

const BOT = "ada";
/** Password of all accounts. */
const SECRET = "s3cret-word";

/** Many people who write to the bot directly, on ngircd, which does not hold anybody up. */
export class IrcCrowd implements Crowd {
  readonly key = "irc";
  readonly keepsMessages = false;
  readonly repeats = 1;
  readonly #server: Ngircd;
  readonly #proxy: TcpProxy;
  readonly #people: readonly IrcPerson[];
  readonly #listeners = new Set<() => void>();

  static async open(people: number): Promise<IrcCrowd> {
    const server = await Ngircd.open("", true);
    const crowd = new IrcCrowd(server, await TcpProxy.open(() => server.port), people);
    await crowd.#connectAll();
    return crowd;
  }

  private constructor(server: Ngircd, proxy: TcpProxy, people: number) {
    this.#server = server;
    this.#proxy = proxy;
    const changed = () => {
      for (const listener of this.#listeners) listener();
    };
    this.#people = Array.from(
      { length: people },
      (_, index) => new IrcPerson(nameOf(index), server.port, [], changed),
    );
  }

  get size(): number {
    return this.#people.length;
  }

  settings() {
    return {
      config: {
        channel: {
          server: "127.0.0.1",
          port: this.#proxy.port,
          encrypted: false,
          nick: BOT,
          users: this.#people.map(({ nick }) => nick),
          joinSeconds: 0,
          burst: 100,
          linesPerMinute: 3_000,
        },
      },
      secrets: {},
    };
  }

  async sayAs(person: number, text: string): Promise<void> {
    const who = this.#person(person);
    who.send(`PRIVMSG ${BOT} :${text}`);
    await who.synced();
  }

  heardBy(person: number): readonly string[] {
    return this.#person(person)
      .heard.filter(({ from, where }) => from === BOT && where === BOT)
      .map(({ text }) => text);
  }

  say(person: Person, text: string): Promise<void> {
    return this.sayAs(indexOf(person), text);
  }

  heard(person: Person): readonly string[] {
    return this.heardBy(indexOf(person));
  }

  onHeard(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Its nick is there: what is said to it now reaches it. */
  async connected(): Promise<void> {
    const person = this.#person(0);
    for (;;) {
      const from = person.lineCount;
      person.send(`ISON ${BOT}`);
      const answer = await person.line(/ 303 /, from);
      if (answer.includes(`:${BOT}`)) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async cut(): Promise<void> {
    this.#proxy.cut();
  }

  async restart(): Promise<void> {
    for (const person of this.#people) person.disconnect();
    await this.#server.restart();
    await this.#connectAll();
  }

  async close(): Promise<void> {
    for (const person of this.#people) person.disconnect();
    await this.#proxy.close();
    await this.#server.close();
  }

  #person(index: number): IrcPerson {
    const person = this.#people[index];
    if (!person) throw new Error(`There are ${this.size} people.`);
    return person;
  }

  #connectAll(): Promise<void> {
    return someAtATime(this.#people, 20, (person) => person.connect("", SECRET));
  }
}

const nameOf = (index: number) => `person${index}`;
const indexOf = (person: Person) => ["owner", "user", "stranger"].indexOf(person);
