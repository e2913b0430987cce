import type { ChannelAttachment } from "../channel-agent.ts";
import { approvalButtons } from "./approval-text.ts";
import { ChannelFailure, failureOf } from "./failure.ts";
import type { Journal, OutboxEntry } from "./journal.ts";
import { pieceId } from "./piece-id.ts";
import { splitText } from "./split.ts";
import type { ChannelTransport, OutgoingPiece, SentPiece, SoughtPiece } from "./transport.ts";
import type { Words } from "./words/words.ts";

/** The whole answer with its files, which is kept in memory only. */
export interface AnswerBody {
  text: string;
  files: readonly ChannelAttachment[];
}

export interface SenderParts {
  journal: Journal;
  transport: ChannelTransport;
  words: Words;
  /** A sentence of the transport in the language of the chats. */
  say(sentence: string): string;
}

export const gone = () => new ChannelFailure("nobody", "The person whom it was for is gone.");

/** Sends one entry: its text in pieces, drafts that become the answer, its files, and nothing twice that can be told. */
export class Sender {
  readonly #parts: SenderParts;
  /** Entries of which the next message or file may have been sent already. */
  readonly #doubtful: Set<string>;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    // An entry is begun only when it is stored that the one before it in its conversation was sent.
    const firsts = new Map<string, string>();
    for (const { conversation, id } of parts.journal.outbox.values()) {
      if (!firsts.has(conversation)) firsts.set(conversation, id);
    }
    this.#doubtful = new Set(firsts.values());
  }

  /** The next message or file of this entry may have been sent already. */
  doubt(id: string): void {
    this.#doubtful.add(id);
  }

  forget(id: string): void {
    this.#doubtful.delete(id);
  }

  /**
   * Sends what is left of an entry: its messages, then its files. How far it came is stored after each.
   *
   * @throws ChannelFailure when the platform refuses or cannot, and when the entry was dropped meanwhile
   */
  async sendRest(entry: OutboxEntry, body: AnswerBody): Promise<void> {
    const { journal, transport } = this.#parts;
    const { piece: limit, unit } = transport.limits;
    const pieces = splitText(body.text, limit, unit);
    while (entry.sent.length < pieces.length) {
      const index = entry.sent.length;
      const sent = await this.#sendPiece(entry, {
        text: pieces[index] ?? "",
        id: pieceId(entry.id, index),
        again: this.#doubtful.has(entry.id),
        draft: false,
        ...(index === 0 && entry.replyTo !== undefined && { replyTo: entry.replyTo }),
        ...(index === pieces.length - 1 &&
          entry.approval && { buttons: approvalButtons(entry.approval, this.#parts.words.now) }),
      });
      entry.sent.push(sent.messageId ?? null);
      this.#doubtful.delete(entry.id);
      this.#keep(entry);
      if (entry.sent.length < pieces.length || body.files.length > 0) await journal.stored();
    }
    await this.#removeSpareDrafts(entry, pieces.length);
    await this.#sendFiles(entry, body);
  }

  async #sendPiece(entry: OutboxEntry, piece: OutgoingPiece): Promise<SentPiece> {
    const { transport } = this.#parts;
    const draft = entry.drafts?.[entry.sent.length];
    if (draft !== undefined && transport.edit) {
      try {
        await transport.edit(entry.conversation, draft, piece);
        return { messageId: draft };
      } catch (error) {
        // The draft was deleted or is too old to be edited: the answer is sent as a new message in its place.
        if (failureOf(error).kind !== "refused") throw error;
        await transport.remove?.(entry.conversation, draft).catch(() => {});
      }
    }
    return (await this.#sentBefore(entry, piece)) ?? transport.send(entry.conversation, piece);
  }

  /** The message of a piece that was sent already; null when it was not, or when nobody can tell. */
  async #sentBefore(entry: OutboxEntry, { id, text }: SoughtPiece): Promise<SentPiece | null> {
    if (!this.#doubtful.has(entry.id)) return null;
    const found = await this.#parts.transport.wasSent?.(entry.conversation, {
      id,
      text,
      ...(entry.at !== undefined && { since: entry.at }),
      ...(entry.answers !== undefined && { answers: entry.answers }),
      others: entry.sent.filter((sent) => sent !== null),
    });
    return found === undefined || found === "unknown" ? null : found;
  }

  async #removeSpareDrafts(entry: OutboxEntry, pieces: number): Promise<void> {
    for (const draft of entry.drafts?.slice(pieces) ?? []) {
      try {
        await this.#parts.transport.remove?.(entry.conversation, draft);
      } catch (error) {
        if (failureOf(error).kind !== "refused") throw error;
      }
    }
  }

  async #sendFiles(entry: OutboxEntry, body: AnswerBody): Promise<void> {
    const { journal, transport } = this.#parts;
    for (let index = entry.filesSent ?? 0; index < body.files.length; index += 1) {
      const file = body.files[index];
      if (file) await this.#sendFile(transport, entry, file, index);
      entry.filesSent = index + 1;
      this.#doubtful.delete(entry.id);
      this.#keep(entry);
      if (index + 1 < body.files.length) await journal.stored();
    }
  }

  async #sendFile(transport: ChannelTransport, entry: OutboxEntry, file: ChannelAttachment, index: number) {
    const id = pieceId(entry.id, 1_000 + index);
    const again = this.#doubtful.has(entry.id);
    if (await this.#sentBefore(entry, { id, text: file.name })) return;
    // What it says stands in the text, which was sent before it.
    const instead = async (why: string) =>
      file.voice
        ? undefined
        : transport.send(entry.conversation, { text: `(${file.name}: ${why})`, id, again, draft: false });
    if (!transport.sendFile) return void (await instead(this.#parts.words.now.noFilesHere));
    try {
      await transport.sendFile(entry.conversation, file, id);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== "refused") throw error;
      await instead(this.#parts.say(failure.message));
    }
  }

  /** Stores how far the entry was sent. @throws ChannelFailure when it was dropped meanwhile: the rest is not sent */
  #keep(entry: OutboxEntry): void {
    const { journal } = this.#parts;
    if (!journal.outbox.has(entry.id)) throw gone();
    journal.putOutbox(entry);
  }
}
