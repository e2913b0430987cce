import type { InboundMessage } from "@patchbay/plugin-sdk/channel";
import { type DataMessage, type Envelope, groupRecipient, normalId } from "./wire.ts";

/** What is known of the bot's own account. */
export interface Identity {
  number: string;
  /** The account's id, learned from its own messages. Null until then; the account is recognised by its number. */
  uuid: string | null;
  /** Whether the bot has sent a message with this timestamp. */
  hasSent(timestamp: number): boolean;
  /** Whether a number stands for an account: it may have been somebody else's before. */
  isTheirs(number: string, account: string): boolean;
}

/** Most characters of a quoted message that are repeated before the answer to it. */
const QUOTED = 1_000;
/** Most characters of a message that are shown above the answer to it. */
const SHOWN_ABOVE = 100;

/** What an answer in a group refers to; its JSON is the `replyTo` of a message. */
export interface Answered {
  timestamp: number;
  author: string;
  text: string;
}

/** A message of the toolkit; null for what is no message of a person: receipts, typing, calls, stories. */
export function readEnvelope(envelope: Envelope, me: Identity): InboundMessage | null {
  // The id is what cannot change hands, and some people hide their number: it is taken first.
  const source = envelope.sourceUuid ?? envelope.sourceNumber ?? envelope.source;
  if (!source) return null;
  const { editMessage } = envelope;
  const dataMessage = editMessage?.dataMessage ?? envelope.dataMessage;
  const time = editMessage?.targetSentTimestamp ?? envelope.timestamp;
  const kind = kindOf(envelope);
  if (kind === null) return null;
  const group = dataMessage?.groupInfo ? groupRecipient(dataMessage.groupInfo.groupId) : null;
  const names = new Set([envelope.sourceNumber, envelope.source]);
  const aliases = [...names].filter(
    (name): name is string => Boolean(name) && name !== source && me.isTheirs(name ?? "", source),
  );
  const read = dataMessage ? readText(dataMessage, me) : { text: "", mentioned: false };
  const files = (dataMessage?.attachments ?? []).map(({ id, contentType, filename, size, isVoiceNote }) => ({
    name: filename || id,
    mimeType: contentType || "application/octet-stream",
    ...(size && { size }),
    ref: id,
    // Bridges that do not tell voice notes apart give them without a name; a sound file that somebody picked has one.
    ...((isVoiceNote ?? (!filename && contentType?.startsWith("audio/"))) && { voice: {} }),
  }));
  const quoted = dataMessage?.quote;
  const repliesToMe = quoted
    ? me.hasSent(quoted.id) || isMe(me, quoted.authorUuid, quoted.authorNumber)
    : false;
  const answered: Answered = { timestamp: time ?? 0, author: source, text: read.text.slice(0, SHOWN_ABOVE) };
  const quote = quoted && !repliesToMe ? quotedLines(quoted.text ?? "") : "";
  return {
    conversation: group ?? source,
    id: String(time),
    dedupeKey: `${source}/${envelope.sourceDevice ?? 0}/${time}`,
    kind,
    from: {
      id: source,
      ...(envelope.sourceName && { name: envelope.sourceName }),
      ...(aliases.length > 0 && { aliases }),
      self: envelope.syncMessage !== undefined || isMe(me, envelope.sourceUuid, envelope.sourceNumber),
    },
    text: `${quote}${read.text}`,
    ...(files.length > 0 && { files }),
    ...(group !== null && {
      group: { id: group, addressed: read.mentioned || repliesToMe },
      replyTo: JSON.stringify(answered),
    }),
  };
}

function kindOf({ dataMessage, editMessage, syncMessage }: Envelope): InboundMessage["kind"] | null {
  if (editMessage) return "edit";
  if (syncMessage) return "notice";
  if (!dataMessage) return null;
  if (dataMessage.reaction) return "reaction";
  if (dataMessage.remoteDelete || dataMessage.groupInfo?.type === "UPDATE") return "notice";
  return "message";
}

/** What was said by somebody else, before what is said to it; empty when Signal sent none of it. */
function quotedLines(text: string): string {
  const said = text.trim().slice(0, QUOTED).toWellFormed();
  return said === "" ? "" : `${said.replace(/^/gm, "> ")}\n\n`;
}

/** Signal leaves a placeholder where somebody is mentioned; the bot's own mention is taken out. */
function readText({ message, mentions }: DataMessage, me: Identity): { text: string; mentioned: boolean } {
  let text = message ?? "";
  let mentioned = false;
  for (const mention of [...(mentions ?? [])].sort((a, b) => b.start - a.start)) {
    const mine = isMe(me, mention.uuid, mention.number);
    mentioned ||= mine;
    const name = mine ? "" : `@${mention.name || mention.number || "someone"}`;
    text = text.slice(0, mention.start) + name + text.slice(mention.start + mention.length);
  }
  return { text: mentioned ? text.replace(/^[\s,:]+/, "").trimEnd() : text, mentioned };
}

function isMe(me: Identity, uuid: string | null | undefined, number: string | null | undefined): boolean {
  if (number && normalId(number) === normalId(me.number)) return true;
  return Boolean(uuid) && me.uuid !== null && uuid?.toLowerCase() === me.uuid.toLowerCase();
}
