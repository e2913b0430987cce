import type { BotAccount } from "../support/platforms/telegram/bot-account.ts";
import { TelegramPerson } from "../support/platforms/telegram/person.ts";
import { TelegramServer } from "../support/platforms/telegram/server.ts";
import type { ChatRoom } from "../support/platforms/telegram/world.ts";
import { inOwnRoom, type Person, type Place, type PlatformUnderTest } from "./platform.ts";

const token = `70010001:${"A".repeat(35)}`;

/** Telegram as the common suite drives it. */
export class TelegramPlatform implements PlatformUnderTest {
  readonly key = "telegram";
  readonly server: TelegramServer;
  readonly bot: BotAccount;
  readonly #people: Record<Person, TelegramPerson>;
  readonly #rooms: Record<Exclude<Place, "dm">, ChatRoom>;

  static async open(): Promise<TelegramPlatform> {
    return new TelegramPlatform(await TelegramServer.open());
  }

  private constructor(server: TelegramServer) {
    this.server = server;
    this.bot = server.addBot({ token, hearsEverything: true });
    this.#people = {
      owner: new TelegramPerson(server, { id: 11, name: "Olga" }),
      user: new TelegramPerson(server, { id: 12, name: "Uma" }),
      stranger: new TelegramPerson(server, { id: 13, name: "Sam" }),
    };
    this.#rooms = {
      group: this.#people.user.group(this.bot, { id: -100_1 }),
      "other group": this.#people.user.group(this.bot, { id: -100_2 }),
      "own room": this.#people.user.group(this.bot, { id: -100_3 }),
    };
  }

  settings() {
    const config = {
      apiRoot: this.server.apiRoot,
      owners: ["11"],
      users: ["12"],
      groups: ["-1001", "-1003"],
      roomSettings: [{ room: "-1003", users: ["13"], ...inOwnRoom }],
      joinSeconds: 0,
    };
    return { config: { channel: config }, secrets: { token } };
  }

  async say(person: Person, text: string, where: { place?: Place; addressed?: boolean } = {}): Promise<void> {
    const place = where.place ?? "dm";
    const room = this.#room(person, place);
    const mention = place !== "dm" && where.addressed !== false ? `@${this.bot.user.username} ` : "";
    this.#people[person].says(this.bot, mention + text, { room });
  }

  async sayAgain(): Promise<void> {
    this.bot.repeatLast();
  }

  heard(person: Person, place: Place = "dm"): readonly string[] {
    return this.#people[person]
      .sees(this.#room(person, place))
      .map(({ text, caption }) => text ?? caption ?? "");
  }

  async press(person: Person, label: string): Promise<void> {
    const message = this.#people[person].sees().findLast(({ reply_markup }) => reply_markup);
    if (!message) throw new Error("There is no message with buttons.");
    this.#people[person].presses(this.bot, message, label);
  }

  onHeard(listener: () => void): () => void {
    this.server.changes.on("change", listener);
    return () => this.server.changes.off("change", listener);
  }

  async connected(): Promise<void> {
    while (!this.bot.poll) await new Promise<void>((resolve) => this.server.changes.once("change", resolve));
  }

  async cut(): Promise<void> {
    this.server.cut();
  }

  async restart(): Promise<void> {
    await this.server.goAway();
    await this.server.comeBack();
  }

  async refuse(refused: boolean): Promise<void> {
    if (refused) this.bot.revoke();
    else this.bot.token = token;
  }

  limit(count: number, retryAfterMs: number): void {
    const seconds = Math.ceil(retryAfterMs / 1000);
    this.server.slowDown("sendMessage", seconds, count);
  }

  close(): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  #room(person: Person, place: Place): ChatRoom {
    return place === "dm" ? this.#people[person].direct : this.#rooms[place];
  }
}
