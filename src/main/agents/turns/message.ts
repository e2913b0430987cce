import {
  type Agent,
  type Attached,
  PatchbayError,
  type SessionEntry,
  type StoredAttachment,
  withAttachments,
} from "../../../contract/index.ts";
import { checkAttachments, storeAttachments } from "../files/attachments.ts";
import { uploadOf } from "../files/uploads.ts";
import type { LiveSession } from "../sessions/session.ts";

interface Written {
  text: string;
  attachments?: readonly Attached[] | undefined;
  /** The turn whose message this one takes the place of. */
  instead?: string | undefined;
}

/** A message of the person as a turn takes it in. */
interface Message {
  text: string;
  attachments?: StoredAttachment[];
  /** Id of the entry before which the conversation goes on. */
  before?: string;
}

/**
 * Makes a message ready: its files are stored in the session's folder, as those of chats are, and named in its text.
 * @param root Patchbay's own folder, where none of the files may land
 * @throws PatchbayError ENTRY_NOT_FOUND, NOT_FOUND, BAD_INPUT, PAYLOAD_TOO_LARGE, TOOL_FAILED, DISK_FULL, WRITE_FAILED
 */
export async function messageOf(
  agent: Agent,
  session: LiveSession,
  root: string,
  { text, attachments = [], instead }: Written,
): Promise<Message> {
  const replaced = instead === undefined ? undefined : replacedBy(session, instead);
  const kept = new Map((replaced?.attachments ?? []).map((one) => [one.file, one]));
  const stored: StoredAttachment[] = [];
  for (const one of attachments) {
    if ("kept" in one) stored.push(kept.get(one.kept) ?? missing());
    else {
      const handedIn = [(await uploadOf(session.uploads, one.upload)) ?? missing()];
      checkAttachments(handedIn);
      stored.push(...(await storeAttachments(session.files, agent, root, handedIn)));
    }
  }
  return {
    text: withAttachments(text, stored),
    ...(stored.length > 0 && { attachments: stored }),
    ...(replaced && { before: replaced.id }),
  };
}

type UserEntry = Extract<SessionEntry, { type: "user" }>;

/** @throws PatchbayError ENTRY_NOT_FOUND, BAD_INPUT */
function replacedBy(session: LiveSession, turnId: string): UserEntry {
  if (session.view.source.kind !== "owner")
    throw new PatchbayError("BAD_INPUT", "A message of a chat is not written anew here.");
  const found = session.entries.findLast(
    (entry): entry is UserEntry => entry.type === "user" && entry.turnId === turnId,
  );
  if (found) return found;
  throw new PatchbayError("ENTRY_NOT_FOUND", "This conversation has no such message.");
}

function missing(): never {
  throw new PatchbayError("NOT_FOUND", "An attached file is not there any more.", {
    help: "Attach it again.",
  });
}
