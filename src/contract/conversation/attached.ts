import { z } from "zod";
import type { StoredAttachment } from "../turn.ts";

/** Largest attachment of a message, in bytes. */
export const mostAttachmentBytes = 25 * 1024 * 1024;
/** Attachments of one message. */
export const mostAttachments = 10;
/** Bytes of a file that are handed in at once. */
export const mostPieceBytes = 4 * 1024 * 1024;

/** What the providers' APIs take as a picture. */
const pictureTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export function isPicture({ mimeType }: { mimeType: string }): boolean {
  return pictureTypes.has(mimeType);
}

/** A file that goes with a message: one that was handed in, or one of the message that is written anew, by its stored name. */
export const attachedSchema = z.union([
  z.object({ upload: z.uuid() }).strict(),
  z.object({ kept: z.string().min(1).max(300) }).strict(),
]);
export type Attached = z.infer<typeof attachedSchema>;

/** Versions of one thing, the oldest first: for each the entry at which a conversation goes on to show it. */
const rowOfVersions = z.object({
  /** The one that is shown now, from 0. */
  at: z.number().int(),
  leaves: z.array(z.string()).min(1),
});
export type RowOfVersions = z.infer<typeof rowOfVersions>;

/** The versions of the message of a turn, and those of its answer to the same words; null: there is one alone. */
export const versionsSchema = z.object({
  turnId: z.string(),
  messages: rowOfVersions.nullable(),
  answers: rowOfVersions.nullable(),
});
export type Versions = z.infer<typeof versionsSchema>;

/** The message with its attachments named, as the model reads it. */
export function withAttachments(text: string, attachments: readonly StoredAttachment[]): string {
  return [text, ...attachments.map(lineOf)].filter((line) => line !== "").join("\n");
}

/** The message as the person wrote it; with the lines when a plugin has changed them. */
export function withoutAttachments(text: string, attachments: readonly StoredAttachment[] = []): string {
  const lines = attachments.map(lineOf).join("\n");
  if (lines === "" || !text.endsWith(lines)) return text;
  return text.slice(0, -lines.length).replace(/\n$/, "");
}

function lineOf({ name, workspacePath, mimeType, bytes }: StoredAttachment): string {
  return workspacePath === undefined
    ? `[Attached picture: ${name}]`
    : `[Attached file: ${workspacePath} (${mimeType}, ${sizeOf(bytes)})]`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
