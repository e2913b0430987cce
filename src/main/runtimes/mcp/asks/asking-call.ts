import type { CallScope } from "../../plugin-call.ts";

/** A call of a server that is under way. Its questions go away with it. */
export class AskingCall {
  /** What it does, for the heading of a question. */
  readonly doing: string;
  readonly scope: CallScope;
  /** How many questions were asked in it. */
  asked = 0;
  readonly #over = new Set<() => void>();

  constructor(doing: string, scope: CallScope) {
    this.doing = doing;
    this.scope = scope;
  }

  /** Calls `listener` when the call is over, or is given up. The returned function takes that back. */
  onOver(listener: () => void): () => void {
    const { signal } = this.scope;
    this.#over.add(listener);
    signal.addEventListener("abort", listener, { once: true });
    if (signal.aborted) listener();
    return () => {
      this.#over.delete(listener);
      signal.removeEventListener("abort", listener);
    };
  }

  end(): void {
    for (const listener of this.#over) listener();
  }
}
