import { ChannelFailure, reasonOf } from "@patchbay/plugin-sdk/channel";
import { GrammyError, HttpError } from "grammy/web";

/**
 * Pause after a second copy of the bot took over the updates, milliseconds. With a shorter one the two copies would
 * interrupt each other all the time.
 */
const CONFLICT_PAUSE_MS = 15_000;

/** What a failed call of the Bot API means for the channel. */
export function telegramFailure(error: unknown): ChannelFailure {
  if (error instanceof ChannelFailure) return error;
  if (error instanceof HttpError) {
    return new ChannelFailure("offline", `no answer from Telegram: ${reasonOf(error.error)}`, {
      cause: error,
    });
  }
  if (!(error instanceof GrammyError)) {
    return new ChannelFailure("offline", error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
  const { error_code: code, description, parameters } = error;
  const retry = parameters?.retry_after;
  if (code === 429 || retry !== undefined) {
    return new ChannelFailure("rate-limited", description, { retryAfterMs: (retry ?? 5) * 1000 });
  }
  if (code === 401) {
    return new ChannelFailure(
      "credentials",
      "The bot's token is not accepted any more. @BotFather has a new one.",
    );
  }
  if (code === 409) {
    const sentence = description.includes("webhook")
      ? "Another program has set a webhook for this bot."
      : "Another copy of this bot is running and gets its messages. Stop it, or give this one a bot of its own.";
    return new ChannelFailure("offline", sentence, { retryAfterMs: CONFLICT_PAUSE_MS });
  }
  if (code >= 500) return new ChannelFailure("offline", `Telegram answered ${code}: ${description}`);
  return new ChannelFailure("refused", refusalWords(description));
}

/** Telegram's reason in a person's words; one that is not known is named as Telegram's. */
function refusalWords(description: string): string {
  const reason = description.replace(/^(Bad Request|Forbidden): /, "");
  const known = refusals.find(([pattern]) => pattern.test(reason));
  return known?.[1] ?? `Telegram refused it: ${reason}`;
}

const refusals: readonly [RegExp, string][] = [
  [/^bot was blocked by the user/, "this person has blocked the bot"],
  [
    /^bot can't initiate conversation/,
    "this person has not written to the bot yet, so it may not write to them",
  ],
  [/^user is deactivated/, "this person's account is deleted"],
  [/^bot was kicked|^bot is not a member/, "the bot is not in this group any more; add it again"],
  [/^chat not found|PEER_ID_INVALID/, "Telegram knows no such chat, or the bot is not in it"],
  [
    /not enough rights|CHAT_WRITE_FORBIDDEN|have no rights/,
    "the bot may not write in this group; make it an administrator, or let members write",
  ],
  [/^Request Entity Too Large|file is too big/, "too large for Telegram"],
  [/^Not Found$/, "there is no Bot API at this address, or the token is incomplete"],
  [/TOPIC_CLOSED/, "the topic is closed"],
  [/TOPIC_DELETED|message thread not found/, "the topic is not there any more"],
];

/** The text's own markup is at fault; without markup it can be sent. */
export function isMarkupError(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 400 &&
    /can't parse entities|message is too long|caption is too long/.test(error.description)
  );
}

/** Telegram does not take a file as a picture; as a document it does. */
export function isPhotoError(error: unknown): boolean {
  return (
    error instanceof GrammyError &&
    error.error_code === 400 &&
    /PHOTO_|IMAGE_PROCESS_FAILED|too big for a photo/.test(error.description)
  );
}

/** Somebody lets nobody send them voice notes; as a document the sound arrives. */
export function isVoiceForbidden(error: unknown): boolean {
  return error instanceof GrammyError && /VOICE_MESSAGES_FORBIDDEN/.test(error.description);
}

export function isUnchanged(error: unknown): boolean {
  return error instanceof GrammyError && error.description.includes("message is not modified");
}

/** The id under which the chat goes on, when it became a supergroup. */
export function movedTo(error: unknown): number | undefined {
  return error instanceof GrammyError ? error.parameters?.migrate_to_chat_id : undefined;
}
