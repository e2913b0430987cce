import type { ChannelMessage } from "@patchbay/plugin-sdk";
import { PatchbayError } from "../../../contract/index.ts";
import { checkAttachments } from "./attachments.ts";

/** Longest message, in characters. */
export const MAX_TEXT = 100_000;
const MAX_NAME = 80;

/**
 * A message as it may be stored: whole characters only, nothing that a line of JSON or a screen trips over.
 * @throws PatchbayError BAD_INPUT, PAYLOAD_TOO_LARGE
 */
export function judgeMessage<T extends ChannelMessage>(message: T): T {
  const text = plain(message.text);
  if (text.length > MAX_TEXT) {
    throw new PatchbayError(
      "PAYLOAD_TOO_LARGE",
      `The message has ${text.length.toLocaleString("en")} characters; at most ${MAX_TEXT.toLocaleString("en")} are taken.`,
    );
  }
  const attachments = message.attachments ?? [];
  if (text.trim() === "" && attachments.length === 0)
    throw new PatchbayError("BAD_INPUT", "The message is empty.", { help: "There is nothing to answer to." });
  if (message.conversation === "" || message.userId === "")
    throw new PatchbayError("BAD_INPUT", "A message needs the ids of its conversation and of its writer.");
  checkAttachments(attachments);
  return { ...message, text };
}

/** The text as the model reads it: in a group, people's names stand before what they say. */
export function withSpeaker(text: string, message: ChannelMessage): string {
  const name = plain(message.userName ?? "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
  return message.group && name !== "" ? `${name}: ${text}` : text;
}

function plain(text: string): string {
  // Every control character but tabs and line ends.
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, "");
}
