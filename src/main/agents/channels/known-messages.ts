import type { SessionEntry, StoredAttachment } from "../../../contract/index.ts";
import type { LiveSession } from "../sessions/session.ts";

/** What a conversation knows of one message of its platform. */
export type KnownMessage =
  | {
      state: "answered";
      text: string;
      silent: boolean;
      turnId: string | null;
      voice?: StoredAttachment | undefined;
    }
  /** A turn was begun for it; `text` is the message as it was stored, `sorry` what stands before the answer. */
  | { state: "begun"; turnId: string; text: string; sorry: string | undefined }
  /** It was stored without a turn. */
  | { state: "heard" };

interface Index {
  read: number;
  messages: Map<string, KnownMessage>;
}

/** Finds messages by their platform's id in what is stored of a conversation; each line is read once. */
export class KnownMessages {
  readonly #indexes = new WeakMap<LiveSession, Index>();

  find(session: LiveSession, messageId: string): KnownMessage | undefined {
    let index = this.#indexes.get(session);
    if (!index) {
      index = { read: 0, messages: new Map() };
      this.#indexes.set(session, index);
    }
    const { entries } = session;
    for (; index.read < entries.length; index.read += 1) {
      note(index.messages, entries[index.read] as SessionEntry);
    }
    return index.messages.get(messageId);
  }
}

/**
 * The final answer of a turn that was begun; null when the turn failed or was cut short before one. Only a complete
 * message has the provider's own form (`raw`).
 */
export function finalTextOf(entries: readonly SessionEntry[], turnId: string): string | null {
  const last = entries.findLast(
    (entry) => (entry.type === "assistant" || entry.type === "tool_result") && entry.turnId === turnId,
  );
  const end = entries.findLast((entry) => entry.type === "turn_end" && entry.turnId === turnId);
  if (end?.type === "turn_end" && end.outcome === "failed") return null;
  if (last?.type !== "assistant" || last.raw === undefined || last.toolCalls.length > 0) return null;
  return last.text;
}

function note(messages: Map<string, KnownMessage>, entry: SessionEntry): void {
  if (!("messageId" in entry) || entry.messageId === undefined) return;
  const { messageId } = entry;
  if (entry.type === "answer") {
    const { text, silent, turnId, voice } = entry;
    messages.set(messageId, { state: "answered", text, silent, turnId, voice });
  }
  if (entry.type === "user" && entry.aside)
    messages.set(messageId, { state: "answered", text: "", silent: true, turnId: entry.turnId });
  else if (entry.type === "user")
    messages.set(messageId, { state: "begun", turnId: entry.turnId, text: entry.text, sorry: entry.sorry });
  if (entry.type === "heard" || entry.type === "sent") messages.set(messageId, { state: "heard" });
}
