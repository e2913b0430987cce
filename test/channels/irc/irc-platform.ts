import { setTimeout as wait } from "node:timers/promises";
import { inOwnRoom, type Person, type Place, type PlatformUnderTest } from "../platform.ts";
import { TcpProxy } from "../tcp-proxy.ts";
import { IrcPerson } from "./irc-person.ts";
import type { IrcServer } from "./irc-server.ts";

const BOT = "ada";
/** How long the bot may take to answer, in milliseconds. */
const PATIENCE_MS = 60_000;

const places: Record<Exclude<Place, "dm">, string> = {
  group: "#team",
  "other group": "#other",
  "own room": "#own",
};

/** Password of all accounts. */
const SECRET = "s3cret-word";

/** A server with a proxy before the bot, and people with clients of their own. Each has an account. */
export class IrcPlatform implements PlatformUnderTest {
  readonly key = "irc";
  readonly #server: IrcServer;
  readonly #signIn: "sasl" | "nickserv";
  readonly #proxy: TcpProxy;
  readonly #people: Record<Person, IrcPerson>;
  readonly #listeners = new Set<() => void>();
  #password = "";

  static async open(server: IrcServer, signIn: "sasl" | "nickserv"): Promise<IrcPlatform> {
    const platform = new IrcPlatform(server, signIn, await TcpProxy.open(() => server.port));
    const bot = new IrcPerson(BOT, server.port, [], () => {});
    await bot.connect("", SECRET);
    bot.disconnect();
    await platform.#refresh("opensesame");
    return platform;
  }

  private constructor(server: IrcServer, signIn: "sasl" | "nickserv", proxy: TcpProxy) {
    this.#server = server;
    this.#signIn = signIn;
    this.#proxy = proxy;
    const person = (nick: string) =>
      new IrcPerson(nick, server.port, Object.values(places), () => {
        for (const listener of this.#listeners) listener();
      });
    this.#people = { owner: person("olga"), user: person("uma"), stranger: person("stan") };
  }

  settings() {
    return {
      config: {
        channel: {
          server: "127.0.0.1",
          port: this.#proxy.port,
          encrypted: false,
          nick: BOT,
          channels: [places.group, places["own room"]],
          roomSettings: [{ room: places["own room"], users: ["stan"], ...inOwnRoom }],
          account: BOT,
          signIn: this.#signIn,
          owners: ["olga"],
          users: ["uma"],
          maxLines: 1_000,
          joinSeconds: 0,
          timeScale: 400,
        },
      },
      secrets: { serverPassword: "opensesame", password: SECRET },
    };
  }

  async say(person: Person, text: string, where: { place?: Place; addressed?: boolean } = {}): Promise<void> {
    const { place = "dm", addressed = true } = where;
    const target = place === "dm" ? BOT : places[place];
    const mention = place !== "dm" && addressed ? `${BOT}: ` : "";
    this.#people[person].send(`PRIVMSG ${target} :${mention}${text}`);
    await this.#people[person].synced();
  }

  heard(person: Person, place: Place = "dm"): readonly string[] {
    const where = place === "dm" ? BOT : places[place];
    return this.#people[person].heard
      .filter((said) => said.from === BOT && said.where === where)
      .map(({ text }) => text);
  }

  onHeard(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The bot answers a CTCP PING: it is there, reads, and has asked for its channels. */
  async connected(): Promise<void> {
    const person = this.#people.user;
    const started = performance.now();
    while (performance.now() - started < PATIENCE_MS) {
      const from = person.lineCount;
      person.send(`PRIVMSG ${BOT} :\u0001PING 1\u0001`);
      const answer = person.line(new RegExp(`NOTICE \\S+ :\u0001PING| 401 \\S+ ${BOT} `), from);
      // A bot that was just killed answers nothing, not even that it is not there.
      if ((await Promise.race([answer, wait(1_000, "")])).includes("NOTICE")) return;
      await wait(20);
    }
    throw new Error(`${BOT} does not answer. ${person.nick} heard:\n${person.linesFrom(-20).join("\n")}`);
  }

  async cut(): Promise<void> {
    const from = this.#people.user.lineCount;
    this.#proxy.cut();
    await this.#people.user.line(new RegExp(`^(?:@\\S+ )?:${BOT}!\\S+ QUIT`), from);
  }

  restart(): Promise<void> {
    return this.#refresh(this.#password);
  }

  async refuse(refused: boolean): Promise<void> {
    await this.#refresh(refused ? "somethingelse" : "opensesame");
  }

  async close(): Promise<void> {
    for (const person of Object.values(this.#people)) person.disconnect();
    await this.#proxy.close();
    await this.#server.close();
  }

  async #refresh(password: string): Promise<void> {
    this.#password = password;
    for (const person of Object.values(this.#people)) person.disconnect();
    await this.#server.configure(password);
    await this.#server.restart();
    for (const person of Object.values(this.#people)) await person.connect(password, SECRET);
  }
}
