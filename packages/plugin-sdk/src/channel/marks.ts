import { type ChannelClock, pause } from "./clock.ts";
import { failureOf } from "./failure.ts";
import type { ChannelTransport, MessageMark } from "./transport.ts";

/** Milliseconds that a message must wait or be worked on before it is marked: what is answered at once needs no marks. */
const SHOWN_AFTER_MS = 700;

export interface MarksParts {
  transport: ChannelTransport;
  clock: ChannelClock;
  signal: AbortSignal;
  /** The settings want marks. */
  on: boolean;
}

interface Shown {
  wanted: MessageMark | null;
  now: MessageMark | null;
  isChanging: boolean;
}

/** How often a mark is tried when the platform says that it is too much. */
const TRIES = 3;

/**
 * Shows at people's messages that they were seen, and that they are worked on. Failures do no harm and are ignored, but
 * for "too many requests": a mark must not stay for ever.
 */
export class Marks {
  readonly #parts: MarksParts;
  readonly #messages = new Map<string, Shown>();

  constructor(parts: MarksParts) {
    this.#parts = parts;
  }

  /** @param before what the message shows that an earlier process has left; absent: nothing */
  show(
    conversation: string,
    messageId: string,
    wanted: MessageMark | null,
    before: MessageMark | null = null,
  ) {
    const { transport, on } = this.#parts;
    if (!on || !transport.mark) return;
    const key = `${conversation}\n${messageId}`;
    const message = this.#messages.get(key) ?? { wanted: null, now: before, isChanging: false };
    this.#messages.set(key, message);
    message.wanted = wanted;
    if (!message.isChanging) void this.#change(key, message, conversation, messageId);
  }

  async #change(key: string, message: Shown, conversation: string, messageId: string): Promise<void> {
    const { transport, clock, signal } = this.#parts;
    message.isChanging = true;
    let tries = 0;
    while (message.wanted !== message.now && !signal.aborted) {
      if (message.now === null) await pause(clock, SHOWN_AFTER_MS, signal);
      const { wanted, now } = message;
      if (wanted === now || signal.aborted) break;
      try {
        await transport.mark?.(conversation, messageId, wanted, now);
        message.now = wanted;
      } catch (error) {
        const { kind, retryAfterMs = 1_000 } = failureOf(error);
        tries += 1;
        if (kind === "rate-limited" && tries < TRIES) await pause(clock, retryAfterMs, signal);
        else message.now = wanted;
      }
    }
    message.isChanging = false;
    if (message.now === null) this.#messages.delete(key);
  }
}
