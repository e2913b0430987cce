import { type AbortSource, CallAbort, onAbort } from "./call-abort.ts";
import { type Clock, systemClock } from "./clock.ts";

/** How long work may take, and what else ends it. Everything may be left out. */
export interface Limit {
  /** Milliseconds, not counting those for which the limit stands still. Infinity when left out. */
  ms?: number;
  clock?: Clock;
  /** Whoever gives the work up when it is aborted. */
  signal?: AbortSource | undefined;
  /** Milliseconds that stopped work has to come to its own end before this settles without it. None when left out. */
  graceMs?: number;
  /** Makes the failure of work that took too long; a {@link TimeLimitError} when left out. */
  late?(ms: number): unknown;
  /** Makes the failure of work that was given up, from the signal's reason; that reason when left out. */
  stopped?(reason: unknown): unknown;
  /** Is handed the limit while it runs, for what makes it stand still; returns what lets go of it. */
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
 * Runs work within a limit, and settles as soon as the limit or the signal ends it, whatever the work does then. What
 * `work` is handed is aborted with the same failure; whoever else aborts it ends the work in the same way. The work is
 * begun before it is watched over, so that timers and listeners are set up while it is under way.
 *
 * @throws what `work` throws, what `late` and `stopped` make, or the reason with which `work`'s abort was aborted
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
    // The work may have brought its end about itself, before anybody listened.
    if (abort.aborted) leave();
    else abort.onAbort(leave);
    if (signal?.aborted) giveUp(signal.reason);
  });
}

/** Settles with the work, or rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSource): Promise<T> {
  return within({ signal }, () => work);
}

/** A time limit that stands still while it is paused; pauses may nest. */
export class PausableLimit {
  private readonly clock: Clock;
  private readonly expire: () => void;
  private left: number;
  private since: number;
  private pauses = 0;
  private cancel: (() => void) | undefined;

  /** Starts at once. `expire` runs once after `ms` milliseconds that were not paused; never when they are infinite. */
  constructor(clock: Clock, ms: number, expire: () => void) {
    this.clock = clock;
    this.expire = expire;
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

  /** Ends it for good. */
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
