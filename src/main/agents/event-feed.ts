/** Hands events to any number of readers; each reads at its own pace and misses nothing from its start on. */
export class EventFeed<T> {
  private readonly readers = new Set<Reader<T>>();

  push(event: T): void {
    for (const reader of this.readers) reader.push(event);
  }

  /** Reads from now on, until `signal` is aborted, the reader returns, or the feed ends. */
  read(signal?: AbortSignal): AsyncIterableIterator<T> {
    const reader = new Reader<T>((gone) => this.readers.delete(gone), signal);
    this.readers.add(reader);
    if (signal?.aborted) void reader.return();
    return reader;
  }

  /** Ends every reader after what it was given. */
  end(): void {
    for (const reader of [...this.readers]) reader.end();
  }

  get size(): number {
    return this.readers.size;
  }
}

class Reader<T> implements AsyncIterableIterator<T> {
  private readonly waiting: T[] = [];
  private want: ((result: IteratorResult<T>) => void) | undefined;
  private done = false;
  private readonly forget: (reader: Reader<T>) => void;
  private readonly signal: AbortSignal | undefined;
  private readonly onAbort = () => void this.return();

  constructor(forget: (reader: Reader<T>) => void, signal?: AbortSignal) {
    this.forget = forget;
    this.signal = signal;
    signal?.addEventListener("abort", this.onAbort, { once: true });
  }

  push(event: T): void {
    if (this.done) return;
    const want = this.want;
    this.want = undefined;
    if (want) want({ value: event, done: false });
    else this.waiting.push(event);
  }

  end(): void {
    if (this.done) return;
    this.done = true;
    this.signal?.removeEventListener("abort", this.onAbort);
    this.forget(this);
    this.want?.({ value: undefined, done: true });
    this.want = undefined;
  }

  next(): Promise<IteratorResult<T>> {
    const event = this.waiting.shift();
    if (event !== undefined) return Promise.resolve({ value: event, done: false });
    if (this.done) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.want = resolve;
    });
  }

  return(): Promise<IteratorResult<T>> {
    this.waiting.length = 0;
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
