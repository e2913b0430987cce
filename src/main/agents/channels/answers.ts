import type { ChannelAnswer, ChannelAttachment } from "@patchbay/plugin-sdk";
import { picturesOf } from "../files/attachments.ts";
import { loadSentFiles, sentFilesOf } from "../files/sent-files.ts";
import type { LiveSession } from "../sessions/session.ts";

/** An answer, and the turn that made it; null for commands and what was dropped. */
export type TurnAnswer = ChannelAnswer & { turnId: string | null };

/** What goes out for a message: its text and the files of its turn. */
export async function answerOf(
  session: LiveSession,
  { text, silent, turnId }: { text: string; silent: boolean; turnId: string | null },
): Promise<TurnAnswer> {
  const nothing = { sessionId: session.id, turnId, text: "", silent: true };
  // An answer that carries files may have no text.
  if (turnId === null || (silent && sentFilesOf(session.entries, turnId).length === 0))
    return silent ? nothing : { sessionId: session.id, turnId, text };
  const attachments = await attachmentsOf(session, turnId);
  if (silent && attachments.length === 0) return nothing;
  return { sessionId: session.id, turnId, text, ...(attachments.length > 0 && { attachments }) };
}

/** What goes out with the answer of a turn, in the order of its numbers. */
export async function attachmentsOf(session: LiveSession, turnId: string): Promise<ChannelAttachment[]> {
  return [...picturesOf(session.entries, turnId), ...(await loadSentFiles(session, turnId))];
}
