import { type Clock, systemClock } from "../../base/clock.ts";

/** Bytes of output and log that are kept per second; the rest is counted and dropped. */
const BYTES_PER_SECOND = 1024 * 1024;
const MAX_LINE = 16 * 1024;

/** Lets through at most 1 MiB a second and says afterwards how much was dropped. */
export class LogBudget {
  readonly #clock: Pick<Clock, "ticks">;
  #windowStart = Number.NEGATIVE_INFINITY;
  #used = 0;
  #dropped = 0;

  constructor(clock: Pick<Clock, "ticks"> = systemClock) {
    this.#clock = clock;
  }

  /**
   * Whether `bytes` more fit into this second.
   *
   * @param cost bytes that count as well, but are no output: they are not in {@link takeDropped}
   */
  take(bytes: number, cost = 0): boolean {
    const now = this.#clock.ticks();
    if (now - this.#windowStart >= 1_000) {
      this.#windowStart = now;
      this.#used = 0;
    }
    if (this.#used + bytes + cost > BYTES_PER_SECOND) {
      this.#dropped += bytes;
      return false;
    }
    this.#used += bytes + cost;
    return true;
  }

  /** Bytes dropped since the last call of this. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}

/** Cuts a stream into lines. A line without an end is passed on in pieces of 16 KiB. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#pass(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (this.#rest.length > MAX_LINE) {
      this.#onLine(this.#rest.slice(0, MAX_LINE));
      this.#rest = this.#rest.slice(MAX_LINE);
    }
  }

  /** Passes on what came after the last line end. */
  end(): void {
    if (this.#rest) this.#pass(this.#rest);
    this.#rest = "";
  }

  #pass(line: string): void {
    for (let at = 0; at < line.length || at === 0; at += MAX_LINE)
      this.#onLine(line.slice(at, at + MAX_LINE));
  }
}
