import { type AbortSource, CallAbort, onAbort } from "./call-abort.ts";
import { type Clock, systemClock } from "./clock.ts";

/** How long work may take, and what else ends it early. Every field is optional. */
export interface Limit {
  /** Milliseconds that the work may take, not counting the time in which the limit is paused. Default: Infinity. */
  ms?: number;
  clock?: Clock;
  /** Aborting this gives the work up. */
  signal?: AbortSource | undefined;
  /** Milliseconds that stopped work still gets to end by itself; after them `within` settles without it. Default: 0. */
  graceMs?: number;
  /** Makes the error for work that took too long. Default: a {@link TimeLimitError}. */
  late?(ms: number): unknown;
  /** Makes the error for work that was given up, from the signal's reason. Default: the reason itself. */
  stopped?(reason: unknown): unknown;
  /**
   * Called with the running limit, so that the caller can pause and resume it. The returned function is called when the
   * work is over; after it the limit must not be used any more.
   */
  watch?(limit: PausableLimit): () => void;
}

/** Thrown when work took longer than its limit. */
export class TimeLimitError extends Error {
  readonly limitMs: number;
  constructor(limitMs: number) {
    super(`took longer than ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

/**
 * Runs `work` within a limit. The promise settles as soon as the limit or the signal ends the work, even when the work
 * itself goes on. The CallAbort that `work` is given is then aborted with the same error; other code that aborts it
 * ends the work in the same way. The work is begun first and its timer and listeners are set up after that, because its
 * answer is under way meanwhile.
 *
 * @throws what `work` throws, what `late` or `stopped` make, or the reason with which the CallAbort was aborted
 */
export function within<T>(limit: Limit, work: (abort: CallAbort) => Promise<T>): Promise<T> {
  const { ms = Number.POSITIVE_INFINITY, clock = systemClock, signal, graceMs = 0 } = limit;
  const stopped = (reason: unknown) => (limit.stopped ? limit.stopped(reason) : reason);
  if (signal?.aborted) return Promise.reject(stopped(signal.reason));
  return new Promise<T>((resolve, reject) => {
    const abort = new CallAbort();
    const running = work(abort);
    const timer = new PausableLimit(clock, ms, () =>
      abort.abort(limit.late ? limit.late(ms) : new TimeLimitError(ms)),
    );
    const detach = limit.watch?.(timer);
    const giveUp = (reason: unknown) => abort.abort(stopped(reason));
    const unlink = signal && onAbort(signal, giveUp);
    let endGrace: (() => void) | undefined;
    const end = () => {
      timer.stop();
      detach?.();
      unlink?.();
      endGrace?.();
    };
    const fail = (error: unknown) => {
      end();
      reject(abort.aborted ? abort.reason : error);
    };
    running.then((value) => {
      end();
      resolve(value);
    }, fail);
    const leave = () => {
      if (graceMs > 0) endGrace = clock.after(graceMs, () => fail(abort.reason));
      else fail(abort.reason);
    };
    // The work may have aborted itself while it was begun, before the listener below was added.
    if (abort.aborted) leave();
    else abort.onAbort(leave);
    if (signal?.aborted) giveUp(signal.reason);
  });
}

/** Settles with the work, or rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSource): Promise<T> {
  return within({ signal }, () => work);
}

/** A limit that begins anew lasts at most this many times its length. */
const MOST_TIMES = 10;

/**
 * A time limit whose time does not run while it is paused. Pauses nest: it runs again when each `pause` has had its
 * `resume`.
 */
export class PausableLimit {
  private readonly clock: Clock;
  private readonly expire: () => void;
  private readonly ms: number;
  /** What it was given when it began the last time. */
  private given: number;
  /** What may go by from then on, however often it begins anew. */
  private ceiling: number;
  private left: number;
  private since: number;
  private pauses = 0;
  private cancel: (() => void) | undefined;

  /** Starts at once. `expire` runs once after `ms` milliseconds, not counting pauses; never when `ms` is Infinity. */
  constructor(clock: Clock, ms: number, expire: () => void) {
    this.clock = clock;
    this.expire = expire;
    this.ms = ms;
    this.given = ms;
    this.ceiling = ms * MOST_TIMES;
    this.left = ms;
    this.since = 0;
    this.run();
  }

  pause(): void {
    this.pauses += 1;
    if (this.pauses > 1) return;
    this.cancel?.();
    this.left -= this.clock.ticks() - this.since;
  }

  /** Ends one pause; does nothing when there is none. */
  resume(): void {
    if (this.pauses === 0) return;
    this.pauses -= 1;
    if (this.pauses === 0) this.run();
  }

  /** Begins anew, as long as no more than ten times its length go by altogether. */
  restart(): void {
    if (this.ms === Number.POSITIVE_INFINITY || this.pauses === Number.POSITIVE_INFINITY) return;
    const runs = this.pauses === 0;
    if (runs) {
      this.cancel?.();
      this.left -= this.clock.ticks() - this.since;
    }
    this.ceiling -= this.given - this.left;
    this.given = Math.min(this.ms, this.ceiling);
    this.left = this.given;
    if (runs) this.run();
  }

  /** Ends the limit for good: `expire` is not called any more. */
  stop(): void {
    this.pauses = Number.POSITIVE_INFINITY;
    this.cancel?.();
  }

  private run(): void {
    if (this.left === Number.POSITIVE_INFINITY) return;
    this.since = this.clock.ticks();
    this.cancel = this.clock.after(Math.max(0, this.left), this.expire);
  }
}
