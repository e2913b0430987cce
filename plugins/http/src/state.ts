/** What the screen shows of the calls so far. */
export interface CallState extends Record<string, unknown> {
  calls: number;
  failed: number;
  lastHost?: string;
  lastStatus?: number;
}

/** Counts calls and reports them, at most once a second however many there are; the newest state is never lost. */
export class CallReporter {
  readonly #report: (state: CallState) => void;
  readonly #intervalMs: number;
  #state: CallState = { calls: 0, failed: 0 };
  #timer: NodeJS.Timeout | null = null;
  #changed = false;

  constructor(report: (state: CallState) => void, intervalMs = 1000) {
    this.#report = report;
    this.#intervalMs = intervalMs;
  }

  succeeded(host: string, status: number): void {
    this.#set({ ...this.#state, calls: this.#state.calls + 1, lastHost: host, lastStatus: status });
  }

  failed(): void {
    this.#set({ ...this.#state, calls: this.#state.calls + 1, failed: this.#state.failed + 1 });
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#flush();
  }

  #set(state: CallState): void {
    this.#state = state;
    this.#changed = true;
    if (this.#timer) return;
    this.#flush();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#changed) this.#set(this.#state);
    }, this.#intervalMs);
  }

  #flush(): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#report({ ...this.#state });
  }
}
