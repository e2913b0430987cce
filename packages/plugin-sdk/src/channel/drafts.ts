import { type ChannelClock, pause } from "./clock.ts";
import { type ChannelFailure, failureOf } from "./failure.ts";
import type { InboxEntry, Journal } from "./journal.ts";
import { pieceId } from "./piece-id.ts";
import { splitText } from "./split.ts";
import type { ChannelTransport } from "./transport.ts";

export interface DraftParts {
  transport: ChannelTransport;
  journal: Journal;
  clock: ChannelClock;
  signal: AbortSignal;
  /**
   * Whether drafts may be shown now: nothing else waits to be sent in the conversation, and the platform is connected.
   */
  mayShow(conversation: string): boolean;
  onFailure(failure: ChannelFailure): void;
}

/**
 * Shows an answer while it is written, by editing messages. Failures here are ignored: the final answer goes through
 * the outbox, which edits these messages into it or sends it anew.
 */
export class Draft {
  readonly #parts: DraftParts;
  readonly #entry: InboxEntry;
  readonly #everyMs: number;
  readonly #over = new AbortController();
  #text = "";
  #shownText = "";
  readonly #shown: string[] = [];
  /** Time before which no draft is sent or edited, because the platform asked to wait; milliseconds since 1970. */
  #notBefore = 0;
  #loop: Promise<void> | null = null;

  constructor(parts: DraftParts, entry: InboxEntry, everyMs: number) {
    this.#parts = parts;
    this.#entry = entry;
    this.#everyMs = everyMs;
  }

  /** What people can read of it now. */
  get shownText(): string {
    return this.#shownText;
  }

  add(delta: string): void {
    this.#text += delta;
    this.#loop ??= this.#run();
  }

  /** Ends the draft. After the promise has resolved, no draft is sent or edited any more. */
  async end(): Promise<void> {
    this.#over.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { clock, signal } = this.#parts;
    const over = AbortSignal.any([signal, this.#over.signal]);
    // The wait lets some text come together first: a message with only the first words is not worth a notification.
    await pause(clock, this.#everyMs / 2, over);
    while (!over.aborted) {
      const wait = this.#notBefore - clock.now();
      if (wait > 0) await pause(clock, wait, over);
      else {
        await this.#show();
        await pause(clock, this.#everyMs, over);
      }
    }
  }

  async #show(): Promise<void> {
    const { transport, clock } = this.#parts;
    if (this.#text.trim() === "" || !this.#parts.mayShow(this.#entry.conversation)) return;
    const shown = this.#text;
    const pieces = splitText(shown, transport.limits.piece, transport.limits.unit);
    try {
      for (const [index, text] of pieces.entries()) {
        if (this.#over.signal.aborted) return;
        await this.#showPiece(index, text, index === pieces.length - 1);
      }
      this.#shownText = shown;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === "rate-limited")
        this.#notBefore = clock.now() + (failure.retryAfterMs ?? this.#everyMs);
      else if (failure.kind === "refused") this.#notBefore = Number.POSITIVE_INFINITY;
      else this.#parts.onFailure(failure);
      if (this.#notBefore === Number.POSITIVE_INFINITY) this.#over.abort();
    }
  }

  async #showPiece(index: number, text: string, draft: boolean): Promise<void> {
    const mark = `${draft}${text}`;
    if (this.#shown[index] === mark) return;
    const { transport, journal } = this.#parts;
    const entry = this.#entry;
    const piece = {
      text,
      id: pieceId(`draft:${entry.key}`, index),
      again: journal.leftover.has(entry.key),
      draft,
      ...(index === 0 && entry.replyTo !== undefined && { replyTo: entry.replyTo }),
    };
    const messageId = entry.drafts?.[index];
    if (messageId !== undefined) {
      await transport.edit?.(entry.conversation, messageId, piece);
    } else {
      const found = piece.again
        ? await transport.wasSent?.(entry.conversation, { id: piece.id, text })
        : null;
      const before = found === undefined || found === "unknown" ? null : found;
      const sent = before ?? (await transport.send(entry.conversation, piece));
      if (sent.messageId === undefined) return this.#over.abort();
      entry.drafts = [...(entry.drafts ?? []), sent.messageId];
      journal.putInbox(entry);
      // An earlier process has shown less of it: the next round edits it.
      if (before) return;
    }
    this.#shown[index] = mark;
  }
}
