import type { ChannelAnswer, ChannelAttachment } from "@patchbay/plugin-sdk";
import type { StoredAttachment } from "../../../contract/index.ts";
import { picturesOf } from "../files/attachments.ts";
import { loadSentFiles, sentFilesOf } from "../files/sent-files.ts";
import type { LiveSession } from "../sessions/session.ts";
import { oggSecondsOf } from "../voice/sound.ts";

/** An answer, and the turn that made it; null for commands and what was dropped. */
export type TurnAnswer = ChannelAnswer & { turnId: string | null };

/** What goes out for a message: its text and the files of its turn. */
export async function answerOf(
  session: LiveSession,
  {
    text,
    silent,
    turnId,
    voice,
  }: { text: string; silent: boolean; turnId: string | null; voice?: StoredAttachment | undefined },
): Promise<TurnAnswer> {
  const nothing = { sessionId: session.id, turnId, text: "", silent: true };
  // An answer that carries files may have no text.
  if (turnId === null || (silent && sentFilesOf(session.entries, turnId).length === 0))
    return silent ? nothing : { sessionId: session.id, turnId, text };
  const attachments = [...(await attachmentsOf(session, turnId)), ...(await loadVoice(session, voice))];
  if (silent && attachments.length === 0) return nothing;
  return { sessionId: session.id, turnId, text, ...(attachments.length > 0 && { attachments }) };
}

/** What goes out with the answer of a turn, in the order of its numbers. */
export async function attachmentsOf(session: LiveSession, turnId: string): Promise<ChannelAttachment[]> {
  return [...picturesOf(session.entries, turnId), ...(await loadSentFiles(session, turnId))];
}

/** The answer spoken; nothing when it is gone from the disk. */
async function loadVoice(
  session: LiveSession,
  voice: StoredAttachment | undefined,
): Promise<ChannelAttachment[]> {
  const bytes = voice && (await session.files.read(voice.file).catch(() => undefined));
  if (!bytes) return [];
  const seconds = oggSecondsOf(bytes);
  const { name, mimeType } = voice;
  return [
    { name, mimeType, data: bytes.toString("base64"), voice: seconds === undefined ? {} : { seconds } },
  ];
}
