import type { ChannelAttachment, ChannelMessage } from "@patchbay/plugin-sdk";
import { z } from "zod";
import { PatchbayError } from "../../../contract/index.ts";
import type { LiveSession } from "../../agents/sessions/session.ts";
import { attachmentOf } from "./attachments.ts";

/** What a channel package posts as a message. What is not named here is let through unread. */
export const messageBody = z.looseObject({
  messageId: z.string().min(1).max(512).optional(),
  text: z.string(),
  /** False: a message in a group that does not address the agent. */
  mentioned: z.boolean().optional(),
  /** Whose words an appended message is: `assistant` for what the channel itself has said in the agent's name. */
  appendAs: z.enum(["user", "assistant"]).optional(),
  sender: z
    .object({
      channel: z.string(),
      channelUserId: z.string().min(1).max(512),
      displayName: z.string().max(512).optional(),
      role: z.string().max(128).optional(),
    })
    .optional(),
  attachments: z
    .array(
      z.looseObject({
        id: z.string().optional(),
        name: z.string().optional(),
        mimeType: z.string().optional(),
        data: z.string().optional(),
        url: z.string().optional(),
      }),
    )
    .max(100)
    .optional(),
});
export type MessageBody = z.infer<typeof messageBody>;

/** A posted message as a message of its channel. @throws PatchbayError BAD_INPUT, NOT_FOUND */
export async function channelMessageOf(
  body: MessageBody,
  session: LiveSession,
  conversation: string,
  sender: { userId: string; role: string | undefined },
): Promise<ChannelMessage> {
  const attachments = await Promise.all((body.attachments ?? []).map((one) => bytesOf(one, session)));
  return {
    conversation,
    userId: sender.userId,
    ...(body.sender?.displayName !== undefined && { userName: body.sender.displayName }),
    ...(sender.role !== undefined && { role: sender.role }),
    text: body.text,
    ...(body.messageId !== undefined && { messageId: body.messageId }),
    ...(attachments.length > 0 && { attachments }),
    group: session.view.source.group ?? false,
  };
}

function bytesOf(
  one: NonNullable<MessageBody["attachments"]>[number],
  session: LiveSession,
): ChannelAttachment | Promise<ChannelAttachment> {
  if (one.id !== undefined) return attachmentOf(session, one.id);
  if (one.data !== undefined) {
    return { name: one.name ?? "file", mimeType: one.mimeType ?? "application/octet-stream", data: one.data };
  }
  throw new PatchbayError("BAD_INPUT", "An attachment needs the id of an upload, or its bytes in base64.", {
    help: "Patchbay fetches no addresses that come from outside; upload the bytes.",
  });
}
