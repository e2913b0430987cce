import { type ChannelClock, systemClock } from "@patchbay/plugin-sdk/channel";
import { startTelegram } from "../../plugins/telegram/src/channel.ts";
import { settingsSchema } from "../../plugins/telegram/src/settings.ts";
import type { BotAccount } from "../support/platforms/telegram/bot-account.ts";
import { TelegramPerson } from "../support/platforms/telegram/person.ts";
import { TelegramServer } from "../support/platforms/telegram/server.ts";
import { InProcess, type InProcessOptions } from "./in-process.ts";

export const token = `70010001:${"A".repeat(35)}`;

export interface TelegramWithAda {
  server: TelegramServer;
  bot: BotAccount;
  ada: TelegramPerson;
}

/** A server with one bot, which hears everything in groups, and its owner. */
export async function telegramWithAda(): Promise<TelegramWithAda> {
  const server = await TelegramServer.open();
  const bot = server.addBot({ token, hearsEverything: true });
  return { server, bot, ada: new TelegramPerson(server, { id: 11, name: "Ada" }) };
}

/** The channel in this process. Its pauses are over in a hundredth of their time, unless it gets another clock. */
export function telegramIn(
  server: TelegramServer,
  more: Record<string, unknown> = {},
  options: InProcessOptions = {},
  clock: ChannelClock = systemClock(100),
): Promise<InProcess> {
  const settings = settingsSchema.parse({
    token,
    apiRoot: server.apiRoot,
    owners: ["11"],
    joinSeconds: 0,
    ...more,
  });
  return InProcess.start((ctx) => startTelegram(settings, ctx, clock), options);
}
