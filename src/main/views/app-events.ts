import { randomUUID } from "node:crypto";
import type { AppChange, AppEvent } from "../../contract/index.ts";

/** Least time between two batches in milliseconds: at most 60 of them a second, whatever happens. */
const batchMs = 17;
/** How many batches are kept for those whose connection was lost. */
const keptBatches = 2_000;

type Batch<C> = Omit<Extract<AppEvent, { type: "changes" }>, "changes"> & { changes: C[] };
type StreamEvent<C> = Exclude<AppEvent, { type: "changes" }> | Batch<C>;

/**
 * The stream of changes for the screens. Services say which thing has changed; its value is read when the next batch is
 * due, so a thousand changes of one thing cost one read. The first change after a pause is sent at once.
 */
export class AppEvents<C = AppChange> {
  readonly epoch: string;
  private readonly batches: Batch<C>[] = [];
  private readonly pending = new Map<string, () => C | null>();
  private readonly wakers = new Set<() => void>();
  private lastSeq: number;
  private lastBatchAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private readonly onError: (error: unknown) => void;

  /**
   * @param onError called with the error of a change that could not be read; the other changes are sent
   * @param numbering epoch and first number, from the lease of the store. Each holder of the lease continues the
   * numbers of the one before, so that a number never means two different batches
   */
  constructor(
    onError: (error: unknown) => void,
    { epoch, sequence }: { epoch: string; sequence: number } = { epoch: randomUUID(), sequence: 0 },
  ) {
    this.epoch = epoch;
    this.lastSeq = sequence;
    this.onError = onError;
  }

  /** Number of the newest batch; before the first batch, the number to start from. */
  get seq(): number {
    return this.lastSeq;
  }

  /**
   * Announces that the thing named `id` is no longer as it was. `describe` is called when the batch is written; null when
   * nothing is left to say.
   */
  touch(id: string, describe: () => C | null): void {
    if (this.closed) return;
    // Set anew, so that changes leave in the order of their last occurrence.
    this.pending.delete(id);
    this.pending.set(id, describe);
    if (this.timer) return;
    const wait = Math.max(0, this.lastBatchAt + batchMs - performance.now());
    this.timer = setTimeout(() => this.flush(), wait);
  }

  /**
   * Yields every batch from now on, or from after `since` when that is still kept; otherwise a `resync` comes first,
   * after which the client reads everything again. Ends when the signal aborts or the app closes.
   */
  follow(
    since: { epoch?: string; seq?: number },
    signal?: AbortSignal,
  ): AsyncGenerator<StreamEvent<C>, void> {
    const resumed = since.epoch === this.epoch && since.seq !== undefined && this.knows(since.seq);
    const from = resumed ? (since.seq as number) : this.lastSeq;
    const lost = since.epoch !== undefined && !resumed;
    return this.read(from, lost ? "resync" : "hello", signal);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wake();
  }

  private async *read(
    from: number,
    first: "hello" | "resync",
    signal: AbortSignal | undefined,
  ): AsyncGenerator<StreamEvent<C>, void> {
    yield { type: first, epoch: this.epoch, seq: from };
    let seq = from;
    while (!this.closed && !signal?.aborted) {
      if (seq === this.lastSeq) {
        await this.nextBatch(signal);
        continue;
      }
      if (!this.knows(seq)) {
        // The reader is so slow that batches it has not read are no longer kept.
        seq = this.lastSeq;
        yield { type: "resync", epoch: this.epoch, seq };
        continue;
      }
      const batch = this.batches[this.batches.length - (this.lastSeq - seq)] as Batch<C>;
      seq = batch.seq;
      yield batch;
    }
  }

  private knows(seq: number): boolean {
    return seq <= this.lastSeq && seq >= this.lastSeq - this.batches.length;
  }

  private flush(): void {
    this.timer = undefined;
    this.lastBatchAt = performance.now();
    const due = [...this.pending.values()];
    this.pending.clear();
    const changes = due.map((describe) => this.describe(describe)).filter((change) => change !== null);
    if (changes.length === 0) return;
    this.lastSeq += 1;
    this.batches.push({ type: "changes", epoch: this.epoch, seq: this.lastSeq, changes });
    if (this.batches.length > keptBatches) this.batches.shift();
    this.wake();
  }

  private describe(describe: () => C | null): C | null {
    try {
      return describe();
    } catch (error) {
      this.onError(error);
      return null;
    }
  }

  private nextBatch(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.wakers.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.wakers.add(wake);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  private wake(): void {
    for (const wake of [...this.wakers]) wake();
  }
}
