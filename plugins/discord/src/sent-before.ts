import type { SentPiece, SoughtPiece } from "@patchbay/plugin-sdk/channel";
import { type APIMessage, type REST, Routes, SnowflakeUtil } from "discord.js";
import { discordFailure } from "./errors.ts";
import { toDiscord } from "./render.ts";

/** Messages of one request; Discord gives no more. */
const PAGE = 100;
const MOST_PAGES = 5;
/** Milliseconds by which the clock of this machine may be ahead of Discord's. */
const SKEW_MS = 10_000;

/**
 * Looks for a message of the bot that may have been sent already. Discord itself refuses a repetition by its nonce, but
 * only for some minutes, and shows nobody the nonces of old messages. So it is one of the bot with the same text (or the
 * same file) that was written after the message that it answers, and not before the answer was there. `unknown` where
 * nothing is answered, and where the history may not be read.
 *
 * @throws ChannelFailure when Discord cannot be asked now
 */
export async function findPiece(
  rest: REST,
  botId: string,
  channel: string,
  { text, answers, since, others = [] }: SoughtPiece,
): Promise<SentPiece | null | "unknown"> {
  if (answers === undefined || !/^\d{15,22}$/.test(answers)) return "unknown";
  const content = toDiscord(text).trim();
  const isIt = (message: APIMessage) =>
    message.author.id === botId &&
    !others.includes(message.id) &&
    (since === undefined || SnowflakeUtil.timestampFrom(message.id) >= since - SKEW_MS) &&
    (message.message_reference?.message_id ?? answers) === answers &&
    (message.content === content ||
      (message.content === "" && message.attachments.some(({ filename }) => filename === text)));
  let after = answers;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ after, limit: String(PAGE) });
    let found: APIMessage[];
    try {
      found = (await rest.get(Routes.channelMessages(channel), { query })) as APIMessage[];
    } catch (error) {
      const failure = discordFailure(error);
      if (failure.kind === "refused") return "unknown";
      throw failure;
    }
    const message = found.find(isIt);
    if (message) return { messageId: message.id };
    const newest = found[0]?.id;
    if (found.length < PAGE || newest === undefined) return null;
    after = newest;
  }
  return "unknown";
}
