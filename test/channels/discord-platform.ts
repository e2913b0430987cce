import type { DiscordChannel, DiscordMessage } from "../support/platforms/discord/guilds.ts";
import { DiscordPerson } from "../support/platforms/discord/person.ts";
import { DiscordServer } from "../support/platforms/discord/server.ts";
import { inOwnRoom, type Person, type Place, type PlatformUnderTest } from "./platform.ts";

export const discordToken = `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${"x".repeat(38)}`;

/** Discord as the common suite drives it. */
export class DiscordPlatform implements PlatformUnderTest {
  readonly key = "discord";
  readonly server: DiscordServer;
  readonly #people: Record<Person, DiscordPerson>;
  readonly #channels: Record<Exclude<Place, "dm">, DiscordChannel>;

  static async open(): Promise<DiscordPlatform> {
    return new DiscordPlatform(await DiscordServer.open({ token: discordToken }));
  }

  private constructor(server: DiscordServer) {
    this.server = server;
    this.#people = {
      owner: new DiscordPerson(server, "olga"),
      user: new DiscordPerson(server, "uma"),
      stranger: new DiscordPerson(server, "sam"),
    };
    this.#channels = {
      group: server.guilds.addChannel("team"),
      "other group": server.guilds.addChannel("other"),
      "own room": server.guilds.addChannel("own"),
    };
  }

  settings() {
    const config = {
      apiUrl: this.server.apiUrl,
      owners: [this.#people.owner.user.id],
      users: [this.#people.user.user.id],
      groups: [this.#channels.group.id, this.#channels["own room"].id],
      roomSettings: [
        { room: this.#channels["own room"].id, users: [this.#people.stranger.user.id], ...inOwnRoom },
      ],
      // The suite says several things at once and counts the answers.
      joinSeconds: 0,
    };
    return { config: { channel: config }, secrets: { token: discordToken } };
  }

  async say(person: Person, text: string, where: { place?: Place; addressed?: boolean } = {}): Promise<void> {
    const place = where.place ?? "dm";
    const mention = place !== "dm" && where.addressed !== false ? `<@${this.server.bot.id}> ` : "";
    this.#people[person].says(mention + text, { channel: this.#channel(person, place) });
  }

  async sayAgain(person: Person): Promise<void> {
    const channel = this.#people[person].direct;
    const last = [...channel.messages.values()].findLast(({ author }) => author.id !== this.server.bot.id);
    this.server.gateway.dispatch(
      "MESSAGE_CREATE",
      this.server.guilds.dispatched(channel, last as DiscordMessage),
    );
  }

  heard(person: Person, place: Place = "dm"): readonly string[] {
    return this.#people[person].sees(this.#channel(person, place)).map(({ content }) => content);
  }

  async press(person: Person, label: string): Promise<void> {
    const channel = this.#people[person].direct;
    const message = this.#people[person].sees().findLast(({ components }) => components?.length);
    if (!message) throw new Error("There is no message with buttons.");
    this.#people[person].presses(channel, message, label);
  }

  onHeard(listener: () => void): () => void {
    this.server.changes.on("change", listener);
    return () => this.server.changes.off("change", listener);
  }

  async connected(): Promise<void> {
    while (this.server.gateway.connected === 0) {
      await new Promise<void>((resolve) => this.server.changes.once("change", resolve));
    }
  }

  async cut(): Promise<void> {
    this.server.cut();
  }

  async restart(): Promise<void> {
    await this.server.goAway();
    await this.server.comeBack();
  }

  async refuse(refused: boolean): Promise<void> {
    this.server.token = refused ? "another" : discordToken;
    if (refused) this.server.gateway.close(4004, "Authentication failed.");
  }

  limit(count: number, retryAfterMs: number): void {
    this.server.slowDown("POST /channels/:id/messages", retryAfterMs / 1000, "user", count);
  }

  close(): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  #channel(person: Person, place: Place): DiscordChannel {
    return place === "dm" ? this.#people[person].direct : this.#channels[place];
  }
}
