import { ChannelFailure, reasonOf } from "@patchbay/plugin-sdk/channel";
import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, HTTPError, RateLimitError } from "discord.js";

/** What a failed call of Discord means for the channel. */
export function discordFailure(error: unknown): ChannelFailure {
  if (error instanceof ChannelFailure) return error;
  if (error instanceof RateLimitError) {
    const retryAfterMs = Math.max(error.retryAfter, 500);
    return new ChannelFailure("rate-limited", "too many requests for Discord", { retryAfterMs });
  }
  if (error instanceof DiscordAPIError) return apiFailure(error);
  if (error instanceof HTTPError) return new ChannelFailure("offline", `Discord answered ${error.status}`);
  if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid)
    return tokenRefused();
  const message = error instanceof Error ? error.message : String(error);
  // After Discord has refused the token, the library forgets it and fails every further call with this message.
  if (message.includes("Expected token to be set")) return tokenRefused();
  return new ChannelFailure("offline", `no answer from Discord: ${reasonOf(error)}`, { cause: error });
}

/** Why the gateway closed the connection for good. */
export function closeFailure(code: number): ChannelFailure {
  switch (code) {
    case 4004:
      return tokenRefused();
    case 4014:
      return new ChannelFailure(
        "fatal",
        "the bot may not read messages. Switch on Message Content Intent on the page Bot of the developer portal",
      );
    default:
      return new ChannelFailure(
        "fatal",
        `Discord has ended the connection and did not say that it may be made anew (${code})`,
      );
  }
}

function apiFailure({ status, code, message }: DiscordAPIError): ChannelFailure {
  if (status === 401) return tokenRefused();
  if (status >= 500) return new ChannelFailure("offline", `Discord answered ${status}`);
  if (status === 413) return new ChannelFailure("refused", tooLarge);
  return new ChannelFailure("refused", sentences[code] ?? `Discord refused it: ${message} (${code})`);
}

function tokenRefused(): ChannelFailure {
  return new ChannelFailure(
    "credentials",
    "the token is not accepted any more; the developer portal has a new one",
  );
}

const tooLarge = "larger than Discord takes";

const sentences: Record<number | string, string> = {
  50001: "the bot may not see this channel",
  50013: "the bot lacks a permission in this channel",
  50007: "this person takes no direct messages from the bot",
  40005: tooLarge,
};
