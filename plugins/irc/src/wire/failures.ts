import { ChannelFailure } from "@patchbay/plugin-sdk/channel";
import type { IrcLine } from "irc-framework";

/** Milliseconds to wait after the server said "too many connections". */
const THROTTLED_MS = 60_000;

/** Milliseconds until somebody who is away is looked for again, where nothing tells of them sooner. */
const AWAY_MS = 60_000;

/** Numerics that answer a JOIN: why, and what the bot then waits for. */
export const joinRefusals: Readonly<Record<string, { why: string; until: string }>> = {
  "403": { why: "there is no such channel", until: "it to be made" },
  "405": { why: "the bot is in too many channels", until: "one of them to end" },
  "471": { why: "the channel is full", until: "somebody to leave" },
  "473": { why: "the bot must be invited", until: "an invitation" },
  "474": { why: "the bot is banned there", until: "the end of the ban" },
  "475": { why: "its key is missing or wrong", until: "the key to be the one of the settings" },
  "476": { why: "it is no name of a channel", until: "the server to take it" },
  "477": { why: "only signed-in accounts may enter", until: "its account to be signed in" },
};

/** The server does not offer SASL: perhaps it never does, perhaps its services are away. */
export function noSasl(): ChannelFailure {
  return new ChannelFailure(
    "offline",
    "This server offers no sign-in with SASL now; perhaps its services are away. It is tried again. If it never does, choose NickServ in the settings, or leave the account empty.",
  );
}

export function isNoSasl(error: unknown): boolean {
  return error instanceof ChannelFailure && error.message === noSasl().message;
}

/** @param reason as irc-framework calls it @param message the server's own words */
export function saslFailure(reason: string, message: string | undefined): ChannelFailure {
  if (reason === "capability_missing") return noSasl();
  const why = message ?? reason.replaceAll("_", " ");
  // That is no judgement of the password.
  if (/tim(?:ed? ?out|eout)|unavailable|services|aborted|try again|later/i.test(why)) {
    return new ChannelFailure("offline", `Signing in did not work now: ${why}`);
  }
  return new ChannelFailure("credentials", `The account was not accepted: ${why}`);
}

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

/** The failure in a numeric that ends a connection; null for every other. */
export function endIn({ command, params }: IrcLine, nick: string): ChannelFailure | null {
  switch (command) {
    case "464":
      return new ChannelFailure("credentials", "The server password was not accepted.");
    case "465":
      return new ChannelFailure("fatal", `The server has banned this connection: ${params.at(-1) ?? ""}`);
    case "432":
      return new ChannelFailure("fatal", `The server does not allow the nick ${nick}.`);
    default:
      return null;
  }
}

/** Milliseconds until somebody new is written to again, where the server does not say how long it wants. */
const NEW_TARGET_MS = 60_000;

/** Numerics that say that a message did not arrive: why, for a channel and for a person. */
const refusals: Readonly<Record<string, { channel: string; person: string }>> = {
  "401": { channel: "there is no such channel", person: "nobody is there by this name" },
  "403": { channel: "there is no such channel", person: "nobody is there by this name" },
  "404": { channel: "the bot may not speak there", person: "this person takes no messages from the bot" },
  "415": signedIn(),
  "477": signedIn(),
  "486": signedIn(),
  "493": {
    channel: "the bot may not speak there",
    person: "this person takes messages only from those who are in a channel with them",
  },
  "531": { channel: "the bot may not speak there", person: "this person takes no messages from the bot" },
  "716": {
    channel: "the bot may not speak there",
    person:
      "this person takes messages only from those they have let in; in most IRC programs /accept does that",
  },
};

function signedIn() {
  return {
    channel: "only signed-in accounts may speak there; give the bot an account in its settings",
    person: "this person takes messages only from signed-in accounts; give the bot one in its settings",
  };
}

/**
 * What a numeric says of a message that did not arrive, and for whom that was; null for every other line. InspIRCd, ngircd,
 * Solanum and UnrealIRCd use different ones for the same thing, and ngircd names the person only in its sentence.
 *
 * @param isChannel whether a name is that of a channel on this server
 */
export function undelivered(
  { command, params }: IrcLine,
  isChannel: (name: string) => boolean,
): { target: string; failure: ChannelFailure } | null {
  const words = params.at(-1) ?? "";
  const target = (params.length > 2 ? params[1] : words.split(" ").at(-1)) ?? "";
  if (command === "439" || command === "707") {
    const seconds = Number(/(\d+) second/.exec(words)?.[1] ?? 0);
    const failure = new ChannelFailure("rate-limited", "The server wants the bot to write to fewer people.", {
      retryAfterMs: seconds * 1000 || NEW_TARGET_MS,
    });
    return { target, failure };
  }
  const why = refusals[command];
  if (!why) return null;
  return { target, failure: new ChannelFailure("refused", isChannel(target) ? why.channel : why.person) };
}

/** Nobody will ever again be the one whom it was for. */
export const nobody = () => new ChannelFailure("nobody", "The person whom it was for is gone.");

export const away = (account: string) =>
  new ChannelFailure("away", `Nobody is here who is signed in as ${account}.`, { retryAfterMs: AWAY_MS });
