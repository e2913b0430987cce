import type { ChannelMessage } from "@patchbay/plugin-sdk";
import { type Caller, PatchbayError } from "../../../contract/index.ts";
import type { EventBus } from "../bus/event-bus.ts";
import type { HookScope } from "../bus/hook-scope.ts";
import { checkAttachments } from "../files/attachments.ts";

/** Longest message, in characters. */
export const MAX_TEXT = 100_000;
const MAX_NAME = 80;

/**
 * A message in a form that can be stored: without half surrogate pairs and control characters, which JSON lines and
 * screens cannot carry.
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

/** Who wrote it, for policy and hooks. */
export function callerOf(channel: string, { userId, role }: ChannelMessage): Caller & { kind: "channel" } {
  return { kind: "channel", channel, userId, ...(role !== undefined && { role }) };
}

/** The text after the hooks on messages that come in; null when one of them drops it. */
export async function takeIn(
  bus: EventBus,
  { userId, conversation, text }: ChannelMessage,
  { agentId, channel, scope }: { agentId: string; channel: string; scope: HookScope },
): Promise<string | null> {
  const { sessionId } = scope;
  const received = { agentId, sessionId, channel, text, metadata: { userId, conversation } };
  const { payload, dropped } = await bus.transform("channel.message.in@v1", received, scope);
  return dropped === null ? payload.text : null;
}

function plain(text: string): string {
  // Every control character but tabs and line ends.
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, "");
}
