import type { ChannelAttachment } from "@patchbay/plugin-sdk";
import {
  type Agent,
  type Attached,
  type FilledPrompt,
  mostAttachments,
  PatchbayError,
  type SessionEntry,
  type StoredAttachment,
  withAttachments,
} from "../../../contract/index.ts";
import { aborted } from "../call-limit.ts";
import { checkAttachments, storeAttachments } from "../files/attachments.ts";
import { uploadOf } from "../files/uploads.ts";
import { keepResource, keptText } from "../offered/attached-resource.ts";
import type { Resources } from "../offered/resources.ts";
import type { LiveSession } from "../sessions/session.ts";
import { untitled } from "../sessions/sessions.ts";

interface Written {
  text: string;
  attachments?: readonly Attached[] | undefined;
  /** Pictures of a prompt. */
  pictures?: readonly ChannelAttachment[] | undefined;
  prompt?: FilledPrompt | undefined;
  /** The turn whose message this one takes the place of. */
  instead?: string | undefined;
}

/** A message of the person as a turn takes it in. */
interface Message {
  text: string;
  attachments?: StoredAttachment[];
  prompt?: FilledPrompt;
  /** Id of the entry before which the conversation goes on. */
  before?: string;
}

/**
 * Makes a message ready: its files are stored in the session's folder, as those of chats are, and named in its text.
 * @param of `root`: Patchbay's own folder, where none of the files may land; `signal`: gives the message up
 * @throws PatchbayError ABORTED, ENTRY_NOT_FOUND, NOT_FOUND, BAD_INPUT, PAYLOAD_TOO_LARGE, RESOURCE_UNREADABLE, TOOL_FAILED,
 * DISK_FULL, WRITE_FAILED
 */
export async function messageOf(
  agent: Agent,
  session: LiveSession,
  { root, resources, signal }: { root: string; resources: Pick<Resources, "read">; signal: AbortSignal },
  { text, attachments = [], pictures = [], prompt, instead }: Written,
): Promise<Message> {
  const replaced = instead === undefined ? undefined : replacedBy(session, instead);
  const kept = new Map((replaced?.attachments ?? []).map((one) => [one.file, one]));
  checkAttachments(pictures);
  const stored = await storeAttachments(session.files, agent, root, pictures);
  const texts = new Map<string, string>();
  for (const one of attachments) {
    if ("kept" in one) {
      const again = kept.get(one.kept) ?? missing();
      const text = await keptText(session.files, again);
      if (text !== undefined) texts.set(again.file, text);
      stored.push(again);
    } else if ("resource" in one) {
      for (const content of await resources.read(agent.id, one.resource, session.id, signal)) {
        const { stored: file, text: shown } = await keepResource(
          session.files,
          agent,
          root,
          one.resource,
          content,
        );
        if (shown !== undefined) texts.set(file.file, shown);
        stored.push(file);
      }
    } else {
      const handedIn = [(await uploadOf(session.uploads, one.upload)) ?? missing()];
      checkAttachments(handedIn);
      stored.push(...(await storeAttachments(session.files, agent, root, handedIn)));
    }
  }
  if (signal.aborted) throw aborted("The message");
  if (stored.length > mostAttachments)
    throw new PatchbayError(
      "PAYLOAD_TOO_LARGE",
      `A message may carry at most ${mostAttachments} attachments.`,
    );
  const before = prompt ?? replaced?.prompt;
  return {
    text: withAttachments(text, stored, texts),
    ...(stored.length > 0 && { attachments: stored }),
    ...(before && { prompt: before }),
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

/** The title of a conversation that begins with this text. */
export function titleFrom(text: string): string {
  const line = text.trim().split("\n")[0]?.trim() ?? "";
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line || untitled;
}
