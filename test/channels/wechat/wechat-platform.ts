import type { BotAccount } from "../../support/platforms/wechat/accounts.ts";
import { WeChatServer } from "../../support/platforms/wechat/server.ts";
import type { Person, Place, PlatformUnderTest } from "../platform.ts";

const ids: Record<Person, string> = {
  owner: "olga@im.wechat",
  user: "uma@im.wechat",
  stranger: "stan@im.wechat",
};

/** The iLink service with a bot on it, and people who write to it. */
export class WeChatPlatform implements PlatformUnderTest {
  readonly key = "wechat";
  readonly #server: WeChatServer;
  readonly #bot: BotAccount;

  static async open(): Promise<WeChatPlatform> {
    return new WeChatPlatform(await WeChatServer.open());
  }

  private constructor(server: WeChatServer) {
    this.#server = server;
    this.#bot = server.addBot("ada@im.bot", ids.owner);
  }

  settings() {
    const { origin } = this.#server;
    return {
      config: {
        channel: {
          baseUrl: origin,
          cdnUrl: `${origin}/c2c`,
          botId: this.#bot.botId,
          owners: [ids.owner],
          users: [ids.user],
          joinSeconds: 0,
          timeScale: 400,
        },
      },
      secrets: { botToken: this.#bot.token },
    };
  }

  async say(person: Person, text: string): Promise<void> {
    this.#server.say(this.#bot, ids[person], text);
  }

  async sayAgain(person: Person): Promise<void> {
    this.#server.repeat(this.#bot, ids[person]);
  }

  heard(person: Person, place: Place = "dm"): readonly string[] {
    if (place !== "dm") return [];
    return this.#bot.shown.filter(({ to }) => to === ids[person]).map(({ text }) => text ?? "");
  }

  onHeard(listener: () => void): () => void {
    return this.#server.onChange(listener);
  }

  connected(): Promise<void> {
    return this.#server.polled();
  }

  async cut(): Promise<void> {
    this.#server.cut();
  }

  async restart(): Promise<void> {
    await this.#server.goAway();
    await this.#server.comeBack();
  }

  async refuse(refused: boolean): Promise<void> {
    this.#bot.stale = refused;
    this.#server.wake();
  }

  limit(count: number): void {
    this.#server.refuse("sendmessage", { ret: -2, errmsg: "too frequent" }, count);
  }

  async close(): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}
