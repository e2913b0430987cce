import { SlackPerson } from "../support/platforms/slack/person.ts";
import { SlackServer } from "../support/platforms/slack/server.ts";
import type { SlackChannel } from "../support/platforms/slack/workspace.ts";
import { inOwnRoom, type Person, type Place, type PlatformUnderTest } from "./platform.ts";

export const slackTokens = {
  botToken: `xoxb-1-2-${"a".repeat(24)}`,
  appToken: `xapp-1-A0-${"b".repeat(24)}`,
};

/** Slack as the common suite drives it. */
export class SlackPlatform implements PlatformUnderTest {
  readonly key = "slack";
  readonly server: SlackServer;
  readonly #people: Record<Person, SlackPerson>;
  readonly #channels: Record<Exclude<Place, "dm">, SlackChannel>;

  static async open(): Promise<SlackPlatform> {
    return new SlackPlatform(await SlackServer.open(slackTokens));
  }

  private constructor(server: SlackServer) {
    this.server = server;
    // What is not acknowledged is delivered again soon, so that the tests need not wait for Slack's minutes.
    Object.assign(server.socketMode.behaviour, { ackMs: 1_000, retryMs: [0, 500, 500, 500, 500, 500, 500] });
    this.#people = {
      owner: new SlackPerson(server, "olga"),
      user: new SlackPerson(server, "uma"),
      stranger: new SlackPerson(server, "sam"),
    };
    this.#channels = {
      group: this.#people.user.channel("team"),
      "other group": this.#people.user.channel("other"),
      "own room": this.#people.user.channel("own"),
    };
  }

  settings() {
    const config = {
      slackApiUrl: this.server.apiUrl,
      owners: [this.#people.owner.user.id],
      users: [this.#people.user.user.id],
      groups: [this.#channels.group.id, this.#channels["own room"].id],
      roomSettings: [
        { room: this.#channels["own room"].id, users: [this.#people.stranger.user.id], ...inOwnRoom },
      ],
      // The suite says several things at once and counts the answers.
      joinSeconds: 0,
    };
    return { config: { channel: config }, secrets: slackTokens };
  }

  async say(person: Person, text: string, where: { place?: Place; addressed?: boolean } = {}): Promise<void> {
    const place = where.place ?? "dm";
    const mention = place !== "dm" && where.addressed !== false ? `<@${this.server.app.botUserId}> ` : "";
    const channel = this.#channel(person, place);
    this.#people[person].says(mention + text, { channel });
  }

  async sayAgain(person: Person): Promise<void> {
    this.#people[person].again();
  }

  heard(person: Person, place: Place = "dm"): readonly string[] {
    return this.#people[person].sees(this.#channel(person, place)).map(({ text }) => read(text));
  }

  async press(person: Person, label: string): Promise<void> {
    const message = this.#people[person].sees().findLast(({ blocks }) => blocks?.length);
    if (!message) throw new Error("There is no message with buttons.");
    void this.#people[person].presses(this.#people[person].direct, message, label);
  }

  onHeard(listener: () => void): () => void {
    this.server.changes.on("change", listener);
    return () => this.server.changes.off("change", listener);
  }

  async connected(): Promise<void> {
    while (this.server.socketMode.sockets.size === 0) {
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
    const reason = refused ? "token_revoked" : null;
    this.server.refused = { bot: reason, app: reason };
    if (refused) void this.server.emit({ type: "tokens_revoked", tokens: { oauth: [], bot: ["U"] } });
  }

  limit(count: number, retryAfterMs: number): void {
    this.server.slowDown("chat.postMessage", Math.ceil(retryAfterMs / 1000), count);
  }

  close(): Promise<void> {
    return this.server[Symbol.asyncDispose]();
  }

  #channel(person: Person, place: Place): SlackChannel {
    return place === "dm" ? this.#people[person].direct : this.#channels[place];
  }
}

/** As people read it. */
function read(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
