import { PatchbayError, type TurnEvent } from "../../../contract/index.ts";
import type { TurnAnswer } from "./answers.ts";

export interface Listener {
  onDelta?: ((text: string) => void) | undefined;
  onEvent?: ((event: TurnEvent) => void) | undefined;
  signal: AbortSignal;
}

/**
 * The work on one message. Anybody who brings the same message again joins this work instead of starting it a second
 * time.
 */
export class InFlight {
  /** Agent, plugin and person that it is done for. */
  readonly #whose: string;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<Listener>();
  /**
   * True for a message with an id. When its channel's process crashes, the work then goes on without listeners, because
   * the restarted channel may bring the message again. In all other cases the work stops when its last listener leaves.
   */
  readonly #mayBeLeft: boolean;
  #said = "";
  /** Why nobody gets the answer, once that is so. */
  #refused: PatchbayError | null = null;
  readonly answer: Promise<TurnAnswer>;

  constructor(
    { whose, mayBeLeft }: { whose: string; mayBeLeft: boolean },
    work: (self: InFlight, signal: AbortSignal) => Promise<TurnAnswer>,
  ) {
    this.#whose = whose;
    this.#mayBeLeft = mayBeLeft;
    this.answer = work(this, this.#stop.signal);
    // Each listener gets the rejection through `join`. Without listeners it must not count as unhandled.
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
        // When the work itself is being stopped, its own end is awaited. A listener that only leaves is rejected at
        // once.
        if (!this.#stop.signal.aborted) reject(signal.reason);
      };
    });
    left.catch(() => {});
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    try {
      const answer = await Promise.race([this.answer, left]);
      if (this.#refused) throw this.#refused;
      return answer;
    } catch (error) {
      throw this.#refused ?? error;
    } finally {
      signal.removeEventListener("abort", leave);
      this.#listeners.delete(listener);
    }
  }

  /** Ends the work that is done for this person: whoever waits for it gets the reason and no answer. */
  refuse(whose: string, reason: PatchbayError): void {
    if (this.#whose !== whose) return;
    this.#refused = reason;
    this.#stop.abort(reason);
  }

  delta(text: string): void {
    if (this.#refused) return;
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
