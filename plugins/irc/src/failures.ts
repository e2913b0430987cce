import { ChannelFailure } from "@patchbay/plugin-sdk/channel";

/** After "too many connections" a server wants to be left alone, in milliseconds. */
const THROTTLED_MS = 60_000;

/** What a server's last words (`ERROR :…`) mean; null when they only say goodbye. */
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
