import { PatchbayError, type TurnEvent } from "../../../contract/index.ts";
import type { TurnAnswer } from "./answers.ts";

export interface Listener {
  onDelta?: ((text: string) => void) | undefined;
  onEvent?: ((event: TurnEvent) => void) | undefined;
  signal: AbortSignal;
}

/** The work on one message, which whoever brings that message again joins. */
export class InFlight {
  readonly #stop = new AbortController();
  readonly #listeners = new Set<Listener>();
  /** Nobody may ask for the answer again, so the work ends with the last one who waits. */
  readonly #mayBeLeft: boolean;
  #said = "";
  readonly answer: Promise<TurnAnswer>;

  constructor(mayBeLeft: boolean, work: (self: InFlight, signal: AbortSignal) => Promise<TurnAnswer>) {
    this.#mayBeLeft = mayBeLeft;
    this.answer = work(this, this.#stop.signal);
    // Whoever joined is told; when nobody is left, nobody is.
    this.answer.catch(() => {});
  }

  /** Resolves with the answer; rejects when it fails or when this listener gives up. */
  async join(listener: Listener): Promise<TurnAnswer> {
    this.#listeners.add(listener);
    if (this.#said !== "") listener.onDelta?.(this.#said);
    const { signal } = listener;
    let leave: () => void = () => {};
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => {
        this.#leave(listener);
        // What runs is told to end and says so itself; who only leaves is let go of.
        if (!this.#stop.signal.aborted) reject(signal.reason);
      };
    });
    left.catch(() => {});
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([this.answer, left]);
    } finally {
      signal.removeEventListener("abort", leave);
      this.#listeners.delete(listener);
    }
  }

  delta(text: string): void {
    this.#said += text;
    for (const listener of this.#listeners) listener.onDelta?.(text);
  }

  event(event: TurnEvent): void {
    for (const listener of this.#listeners) listener.onEvent?.(event);
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    const { reason } = listener.signal;
    const crashed = reason instanceof PatchbayError && reason.code === "HOST_CRASHED";
    if (this.#listeners.size > 0 || (crashed && this.#mayBeLeft)) return;
    this.#stop.abort(reason);
  }
}
