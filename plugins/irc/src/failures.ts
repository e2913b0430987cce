import { ChannelFailure } from "@patchbay/plugin-sdk/channel";

/** Milliseconds to wait after the server said "too many connections". */
const THROTTLED_MS = 60_000;

/** Numerics that answer a JOIN. */
export const joinRefusals: Readonly<Record<string, string>> = {
  "403": "there is no such channel",
  "405": "the bot is in too many channels",
  "471": "the channel is full",
  "473": "the bot must be invited",
  "474": "the bot is banned there",
  "475": "its key is missing or wrong",
  "476": "it is no name of a channel",
  "477": "only signed-in accounts may enter",
};

/** The failure in a server's last words (`ERROR :…`); null when they only say goodbye. */
export function refusalOf(words: string): ChannelFailure | null {
  if (/throttl|too (?:fast|many)|reconnect/i.test(words)) {
    return new ChannelFailure("offline", `The server wants fewer connections: ${words}`, {
      retryAfterMs: THROTTLED_MS,
    });
  }
  if (/bad password|access denied|password (?:incorrect|mismatch)/i.test(words)) {
    return new ChannelFailure("credentials", `The server did not accept the password: ${words}`);
  }
  if (/[gkz]-?lined?\b|banned/i.test(words)) {
    return new ChannelFailure("fatal", `The server has banned this connection: ${words}`);
  }
  return null;
}
