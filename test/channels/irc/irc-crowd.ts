import { type Crowd, someAtATime } from "../crowd.ts";
import type { Person } from "../platform.ts";
import { TcpProxy } from "../tcp-proxy.ts";
import { IrcPerson } from "./irc-person.ts";
import type { IrcServer } from "./irc-server.ts";

const BOT = "ada";
/** Password of all accounts. */
const SECRET = "s3cret-word";

/** How fast the bot may speak; 0: what the plugin thinks right for the server. */
export interface CrowdPace {
  burst: number;
  linesPerMinute: number;
}

const fast: CrowdPace = { burst: 100, linesPerMinute: 3_000 };

/** Many people with accounts who write to the bot directly. */
export class IrcCrowd implements Crowd {
  readonly key = "irc";
  readonly keepsMessages = false;
  readonly repeats = 1;
  readonly #server: IrcServer;
  readonly #pace: CrowdPace;
  readonly #proxy: TcpProxy;
  readonly #people: readonly IrcPerson[];
  readonly #listeners = new Set<() => void>();

  /**
   * @param server with services; ended with the crowd
   * @param pace as fast as the server is set up to take it. Default: one that holds nobody up
   */
  static async open(people: number, server: IrcServer, pace = fast): Promise<IrcCrowd> {
    const crowd = new IrcCrowd(server, await TcpProxy.open(() => server.port), people, pace);
    await crowd.#connectAll();
    return crowd;
  }

  private constructor(server: IrcServer, proxy: TcpProxy, people: number, pace: CrowdPace) {
    this.#server = server;
    this.#proxy = proxy;
    this.#pace = pace;
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
          ...this.#pace,
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
