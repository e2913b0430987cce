import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import { z } from "zod";
import {
  mostAttachments,
  PatchbayError,
  type SessionEntry,
  type StoredAttachment,
  storedAttachmentSchema,
} from "../../../contract/index.ts";
import type { LiveSession } from "../sessions/session.ts";
import { MOST_SENT, sendFileTool } from "../tools/builtin/send-file.ts";
import { keepFile } from "./attachments.ts";

/** A file that a tool wants to go out. */
export interface FileToSend {
  name: string;
  mimeType: string;
  bytes: Buffer;
}

const detailsSchema = z.object({ kept: storedAttachmentSchema });

/**
 * Keeps a file beside the session until the turn's answer goes out.
 * @throws PatchbayError TOOL_FAILED when the answer would become too large; what the disk says
 */
export async function keepForChat(
  session: LiveSession,
  turnId: string,
  { name, mimeType, bytes }: FileToSend,
): Promise<StoredAttachment> {
  const before = sentFilesOf(session.entries, turnId);
  const size = before.reduce((sum, file) => sum + file.bytes, bytes.length);
  if (before.length >= mostAttachments)
    throw new PatchbayError("TOOL_FAILED", `An answer carries at most ${mostAttachments} files.`);
  if (size > MOST_SENT)
    throw new PatchbayError("TOOL_FAILED", "The files of one answer may have 25 MiB together.");
  return keepFile(session.files, name, mimeType, bytes);
}

/** The files that the agent sent in a turn, in order. */
export function sentFilesOf(entries: readonly SessionEntry[], turnId: string): StoredAttachment[] {
  return entries.flatMap((entry) => {
    const isSent =
      entry.type === "tool_result" && entry.turnId === turnId && entry.tool === sendFileTool.info.name;
    if (!isSent || entry.outcome !== "executed") return [];
    return detailsSchema.safeParse(entry.details).data?.kept ?? [];
  });
}

/** With their bytes; one that is gone from the disk is left out. */
export async function loadSentFiles(session: LiveSession, turnId: string): Promise<ChannelAttachment[]> {
  const loaded = sentFilesOf(session.entries, turnId).map(async ({ name, mimeType, file }) => {
    const bytes = await session.files.read(file).catch(() => undefined);
    return bytes ? [{ name, mimeType, data: bytes.toString("base64") }] : [];
  });
  return (await Promise.all(loaded)).flat();
}
