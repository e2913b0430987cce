import { group, person } from "../../support/platforms/signal/accounts.ts";
import { SignalServer } from "../../support/platforms/signal/server.ts";
import { inOwnRoom, type Person, type Place, type PlatformUnderTest } from "../platform.ts";

/** A signal-cli-rest-api with an account on it, and people who write to that. */
export class SignalPlatform implements PlatformUnderTest {
  readonly key = "signal";
  readonly #server: SignalServer;
  readonly #bot = person("Ada", "+491000000");
  /** Two of them hide the number, as Signal lets people do. */
  readonly #people = {
    owner: person("Olga", "+491000001"),
    user: person("Uma", null),
    stranger: person("Stan", null),
  };
  readonly #groups = { group: group("team"), "other group": group("other"), "own room": group("own") };

  static async open(): Promise<SignalPlatform> {
    return new SignalPlatform(await SignalServer.open());
  }

  private constructor(server: SignalServer) {
    this.#server = server;
    server.addAccount(this.#bot);
  }

  get #number(): string {
    return this.#bot.number ?? "";
  }

  settings() {
    return {
      config: {
        channel: {
          server: this.#server.origin,
          number: this.#number,
          owners: [this.#people.owner.number],
          users: [this.#people.user.uuid],
          groups: [this.#groups.group.internalId, this.#groups["own room"].internalId],
          roomSettings: [
            { room: this.#groups["own room"].internalId, users: [this.#people.stranger.uuid], ...inOwnRoom },
          ],
          joinSeconds: 0,
          timeScale: 400,
        },
      },
      secrets: {},
    };
  }

  async say(who: Person, text: string, where: { place?: Place; addressed?: boolean } = {}): Promise<void> {
    const { place = "dm", addressed = true } = where;
    const from = this.#people[who];
    if (place === "dm") return void this.#server.say(this.#number, from, { text });
    const room = this.#groups[place];
    const mention = { number: this.#bot.number, uuid: this.#bot.uuid, start: 0, length: 1 };
    const said = addressed ? { text: `\uFFFC ${text}`, mentions: [mention] } : { text };
    this.#server.say(this.#number, from, { ...said, group: room });
  }

  async sayAgain(who: Person): Promise<void> {
    this.#server.repeat(this.#number, this.#people[who]);
  }

  /** As the phone shows it. */
  heard(who: Person, place: Place = "dm"): readonly string[] {
    const { number, uuid } = this.#people[who];
    const places = place === "dm" ? [number, uuid] : [this.#groups[place].internalId];
    return this.#server.delivered.filter(({ to }) => places.includes(to)).map(({ message }) => message);
  }

  onHeard(listener: () => void): () => void {
    return this.#server.onChange(listener);
  }

  connected(): Promise<void> {
    return this.#server.until(() => this.#server.receiving.count(this.#number) > 0);
  }

  async cut(): Promise<void> {
    this.#server.receiving.cut();
    await this.#server.until(() => this.#server.receiving.count(this.#number) === 0);
  }

  async restart(): Promise<void> {
    await this.#server.goAway();
    await this.#server.comeBack();
  }

  async refuse(refused: boolean): Promise<void> {
    if (refused) this.#server.unlink(this.#number);
    else this.#server.addAccount(this.#bot);
  }

  limit(count: number): void {
    this.#server.limit(count);
  }

  async close(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}
