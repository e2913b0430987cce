import { type Crowd, someAtATime } from "../crowd.ts";
import type { Person } from "../platform.ts";
import { TcpProxy } from "../tcp-proxy.ts";
import { Ejabberd } from "./ejabberd.ts";
import { Prosody } from "./prosody.ts";
import type { XmppServer } from "./server.ts";
import { XmppPerson } from "./xmpp-person.ts";

const BOT = "ada";
const BOT_ADDRESS = `${BOT}@localhost`;

export interface XmppCrowdOptions {
  server: "prosody" | "ejabberd";
  /** Whether the server keeps messages; default true. */
  archive?: boolean;
  people: number;
  /** How much faster than on the wall the channel's time passes; default 1. */
  timeScale?: number;
}

/** Many people who write to the bot directly, on a real server. */
export class XmppCrowd implements Crowd {
  readonly key = "xmpp";
  readonly keepsMessages = true;
  readonly server: XmppServer;
  readonly proxy: TcpProxy;
  readonly people: readonly XmppPerson[];
  readonly #options: XmppCrowdOptions;
  readonly #listeners = new Set<() => void>();

  static async open(options: XmppCrowdOptions): Promise<XmppCrowd> {
    const accounts = [BOT, ...Array.from({ length: options.people }, (_, index) => nameOf(index))];
    const forgetful = options.archive === false;
    const Server = options.server === "prosody" ? Prosody : Ejabberd;
    const server = await Server.open(accounts, { forgetful });
    const crowd = new XmppCrowd(server, await TcpProxy.open(() => server.port), options);
    await crowd.#connectAll();
    return crowd;
  }

  private constructor(server: XmppServer, proxy: TcpProxy, options: XmppCrowdOptions) {
    this.server = server;
    this.proxy = proxy;
    this.#options = options;
    const changed = () => {
      for (const listener of this.#listeners) listener();
    };
    this.people = Array.from(
      { length: options.people },
      (_, index) => new XmppPerson(nameOf(index), () => server.port, [], changed),
    );
  }

  get size(): number {
    return this.people.length;
  }

  get repeats(): 0 | 1 {
    return this.#options.archive === false ? 1 : 0;
  }

  settings() {
    return {
      config: {
        channel: {
          jid: BOT_ADDRESS,
          host: `127.0.0.1:${this.proxy.port}`,
          encrypted: false,
          owners: [`${nameOf(0)}@localhost`],
          users: this.people.map(({ name }) => `${name}@localhost`),
          joinSeconds: 0,
          timeScale: this.#options.timeScale ?? 1,
        },
      },
      secrets: { password: `secret-of-${BOT}` },
    };
  }

  sayAs(person: number, text: string): Promise<void> {
    return this.#person(person).say(BOT_ADDRESS, "chat", text);
  }

  heardBy(person: number): readonly string[] {
    return this.#person(person)
      .heard.filter(({ where }) => where === BOT_ADDRESS)
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

  /** The server keeps what is said directly while the bot is away. */
  async connected(): Promise<void> {}

  async cut(): Promise<void> {
    this.proxy.cut();
  }

  async restart(): Promise<void> {
    await this.server.restart();
    await this.#connectAll();
  }

  async close(): Promise<void> {
    await Promise.all(this.people.map((person) => person.disconnect()));
    await this.proxy.close();
    await this.server.close();
  }

  #person(index: number): XmppPerson {
    const person = this.people[index];
    if (!person) throw new Error(`There are ${this.people.length} people.`);
    return person;
  }

  #connectAll(): Promise<void> {
    return someAtATime(this.people, 10, (person) => person.connect());
  }
}

const nameOf = (index: number) => `person${index}`;
const indexOf = (person: Person) => ["owner", "user", "stranger"].indexOf(person);
