import { extname } from "node:path";
import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import {
  type Agent,
  isPicture,
  mostAttachmentBytes,
  mostAttachments,
  PatchbayError,
  type SessionEntry,
  type StoredAttachment,
} from "../../../contract/index.ts";
import { putIntoWorkspace } from "../../platform/workspace.ts";
import type { SessionFiles } from "../../store/index.ts";
import { knownModelOf } from "../models/catalogue.ts";

const MAX_NAME = 100;

/** @throws PatchbayError PAYLOAD_TOO_LARGE, BAD_INPUT before anything is written */
export function checkAttachments(attachments: readonly ChannelAttachment[]): void {
  if (attachments.length > mostAttachments)
    throw new PatchbayError(
      "PAYLOAD_TOO_LARGE",
      `A message may carry at most ${mostAttachments} attachments.`,
    );
  for (const { name, data } of attachments) {
    if (Buffer.byteLength(data, "base64") > mostAttachmentBytes)
      throw new PatchbayError("PAYLOAD_TOO_LARGE", `${safeName(name)} is larger than 25 MiB.`);
    if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(data))
      throw new PatchbayError("BAD_INPUT", `${safeName(name)} is not written in base64.`);
  }
}

/**
 * Stores attachments in the session's folder. Pictures that the model can be shown stay only there. Other files are
 * also put into `attachments/` of the agent's workspace, where its tools can read them.
 *
 * @param root Patchbay's own folder, where none of them may land
 * @throws PatchbayError TOOL_FAILED when a link leads there or out of the workspace; what the disk says
 */
export async function storeAttachments(
  files: SessionFiles,
  agent: Agent,
  root: string,
  attachments: readonly ChannelAttachment[] = [],
): Promise<StoredAttachment[]> {
  const { workspace } = agent;
  const stored: StoredAttachment[] = [];
  for (const { name, mimeType, data } of attachments) {
    const bytes = Buffer.from(data, "base64");
    const one = await keepFile(files, name, mimeType, bytes);
    if (!(await isShown(agent, one)))
      one.workspacePath = await putIntoWorkspace({ workspace, root }, "attachments", {
        name: one.name,
        bytes,
      });
    stored.push(one);
  }
  return stored;
}

/** Keeps a file in the session's folder. @throws what the disk says */
export async function keepFile(
  files: SessionFiles,
  name: string,
  mimeType: string,
  bytes: Buffer,
): Promise<StoredAttachment> {
  const clean = safeName(name);
  const file = await files.add(clean, bytes);
  return { name: clean, mimeType: safeType(mimeType), bytes: bytes.length, file };
}

/** The pictures that the tools of a turn returned; they are sent with its answer. */
export function picturesOf(entries: readonly SessionEntry[], turnId: string | null): ChannelAttachment[] {
  const made: ChannelAttachment[] = [];
  for (const entry of entries) {
    if (entry.type !== "tool_result" || entry.turnId !== turnId || entry.outcome !== "executed") continue;
    for (const part of entry.content) {
      if (part.type !== "image" || made.length === mostAttachments) continue;
      if (Buffer.byteLength(part.data, "base64") > mostAttachmentBytes) continue;
      const ending = part.mimeType.split("/")[1]?.replace(/[^a-z0-9]/gi, "") || "bin";
      made.push({ name: `picture-${made.length + 1}.${ending}`, mimeType: part.mimeType, data: part.data });
    }
  }
  return made;
}

/**
 * A safe file name: without a path, control characters, or anything else that a file system or a shell could misread.
 */
export function safeName(name: string): string {
  const bare = (name.split(/[\\/]/).at(-1) ?? "").toWellFormed();
  const clean = bare
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}<>:"|?*]/gu, "")
    .replace(/^[.\s]+|[.\s]+$/g, "");
  if (clean.length <= MAX_NAME) return clean || "file";
  const ending = extname(clean).slice(0, 16);
  return clean.slice(0, MAX_NAME - ending.length).toWellFormed() + ending;
}

/** Whether the model sees it: a picture, and not one of which it is known that it takes none. */
async function isShown({ model }: Agent, attachment: StoredAttachment): Promise<boolean> {
  if (!isPicture(attachment) || model.kind === "none" || model.kind === "scripted") return false;
  return (await knownModelOf(model))?.pictures !== false;
}

function safeType(mimeType: string): string {
  const type = mimeType.split(";")[0]?.trim().toLowerCase() ?? "";
  return /^[a-z0-9.+-]{1,64}\/[a-z0-9.+-]{1,100}$/.test(type) ? type : "application/octet-stream";
}
