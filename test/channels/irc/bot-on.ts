import type { ChannelClock } from "@patchbay/plugin-sdk/channel";
import irc from "../../../plugins/irc/src/index.ts";
import { startIrc } from "../../../plugins/irc/src/start.ts";
import { InProcess, type InProcessOptions } from "../in-process.ts";
import { IrcPerson } from "./irc-person.ts";
import type { IrcServer } from "./irc-server.ts";

/** Password of all accounts. */
export const SECRET = "s3cret-word";

/** The plugin in this process, on a real server, and people on it. Everything ends with `close`. */
export class BotOn {
  readonly server: IrcServer;
  readonly #ends: (() => Promise<void> | void)[] = [];

  constructor(server: IrcServer) {
    this.server = server;
  }

  /** @param clock absent: that of the settings, which runs a hundred times faster than that of the wall */
  async bot(
    settings: Record<string, unknown> = {},
    more: InProcessOptions = {},
    clock?: ChannelClock,
  ): Promise<InProcess> {
    const { channel } = irc.parseConfig({
      channel: {
        server: "127.0.0.1",
        port: this.server.port,
        encrypted: false,
        nick: "ada",
        owners: ["olga"],
        users: ["uma"],
        joinSeconds: 0,
        timeScale: 100,
        ...settings,
      },
    });
    const bot = await InProcess.start(
      (ctx) => (clock ? startIrc(channel, ctx, clock) : irc.channel.start(channel, ctx)),
      more,
    );
    this.#ends.push(() => bot[Symbol.asyncDispose]());
    return bot;
  }

  /** @param account whether they are signed in, with an account that is called as they are */
  async person(nick: string, account = true, rooms: readonly string[] = []): Promise<IrcPerson> {
    const person = new IrcPerson(nick, this.server.port, rooms, () => {});
    this.#ends.push(() => person.disconnect());
    await person.connect("", account ? SECRET : undefined);
    return person;
  }

  async close(): Promise<void> {
    for (const end of this.#ends.splice(0).reverse()) await end();
  }
}

/** What the bot said to somebody directly. */
export function told(person: IrcPerson): string[] {
  return person.heard.filter(({ where }) => where === "ada").map(({ text }) => text);
}
