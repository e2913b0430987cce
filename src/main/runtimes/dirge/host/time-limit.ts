/** The time that a call of the plugin may take. It stands still while a dialog that it opened waits for the person. */
export class TimeLimit {
  readonly #controller = new AbortController();
  #left: number;
  #since = 0;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(millis: number) {
    this.#left = millis;
    this.#start();
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the time is over, also while nothing of Node's comes to say so. */
  get isOver(): boolean {
    return this.signal.aborted || (this.#waiting === 0 && performance.now() - this.#since > this.#left);
  }

  /** Lets it stand still until the promise has settled. */
  async during<T>(waiting: Promise<T>): Promise<T> {
    if (this.#waiting === 0) this.#stop();
    this.#waiting += 1;
    try {
      return await waiting;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#start();
    }
  }

  /** To be called when the call is over. */
  end(): void {
    clearTimeout(this.#timer);
    this.#left = Number.POSITIVE_INFINITY;
  }

  /** Ends the call now. */
  abort(): void {
    this.end();
    this.#controller.abort();
  }

  #start(): void {
    if (this.#left === Number.POSITIVE_INFINITY || this.signal.aborted) return;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#controller.abort(), this.#left);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(1, this.#left - (performance.now() - this.#since));
  }
}
