import { PatchbayError, type StoredAttachment } from "../../../contract/index.ts";
import type { LiveSession } from "../sessions/session.ts";
import { sentFilesOf } from "./sent-files.ts";

/**
 * A file of a conversation: one that came with a message, or that the agent sent. @param name in the session's folder
 * @throws PatchbayError NOT_FOUND, READ_FAILED
 */
export async function fileOf(session: LiveSession, name: string): Promise<File> {
  const about = filesOf(session).find(({ file }) => file === name);
  const bytes = about && (await session.files.read(name));
  if (!bytes) throw new PatchbayError("NOT_FOUND", "The file is not there any more.");
  return new File([new Uint8Array(bytes)], about.name, { type: about.mimeType });
}

function filesOf({ entries }: LiveSession): StoredAttachment[] {
  return entries.flatMap((entry) => {
    switch (entry.type) {
      case "user":
      case "heard":
        return entry.attachments ?? [];
      case "answer":
        return entry.voice ?? [];
      case "tool_result":
        return sentFilesOf([entry], entry.turnId);
      default:
        return [];
    }
  });
}
