import { PatchbayError } from "../../contract/index.ts";
import { CallAbort, onAbort } from "../runtimes/call-abort.ts";
import type { CallScope } from "../runtimes/runtime.ts";
import type { CallStats } from "./call-stats.ts";
import { type Clock, PausableLimit } from "./clock.ts";

/** The calls under way in one started plugin: each with its time limit, all of them drained before a stop. */
export class CallLedger {
  readonly #clock: Clock;
  readonly #stats: CallStats;
  readonly #underWay = new Set<CallAbort>();
  readonly #limits = new Map<CallScope, PausableLimit>();
  #onIdle: (() => void) | undefined;

  constructor(clock: Clock, stats: CallStats) {
    this.#clock = clock;
    this.#stats = stats;
  }

  /**
   * Runs a call with the scope's own time limit and signal.
   *
   * @param late makes the failure of a call that took too long
   * @throws what `run` throws, what `late` makes, or ABORTED
   */
  run<S extends CallScope, T>(
    scope: S,
    late: (limitMs: number) => PatchbayError,
    run: (scope: S) => Promise<T>,
  ): Promise<T> {
    if (scope.abort) return this.#watch(scope, scope.abort, late, run);
    const { signal } = scope;
    if (signal.aborted) return Promise.reject(abortReason(signal.reason));
    const abort = new CallAbort();
    const unlink = onAbort(signal, () => abort.abort(abortReason(signal.reason)));
    const own: S = Object.defineProperty({ ...scope, abort }, "signal", { get: () => abort.signal });
    return this.#watch(own, abort, late, run).finally(unlink);
  }

  #watch<S extends CallScope, T>(
    scope: S,
    abort: CallAbort,
    late: (limitMs: number) => PatchbayError,
    run: (scope: S) => Promise<T>,
  ): Promise<T> {
    if (abort.aborted) return Promise.reject(abortReason(abort.reason));
    const { timeoutMs } = scope;
    return new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const limit = Number.isFinite(timeoutMs)
        ? new PausableLimit(this.#clock, timeoutMs, () => abort.abort(late(timeoutMs)))
        : undefined;
      if (limit) this.#limits.set(scope, limit);
      this.#underWay.add(abort);
      const settle = (failed: boolean) => {
        if (!this.#underWay.delete(abort)) return;
        if (limit) {
          limit.stop();
          this.#limits.delete(scope);
        }
        this.#stats.add(performance.now() - startedAt, failed);
        if (this.#underWay.size === 0) this.#onIdle?.();
      };
      const fail = (error: unknown) => {
        settle(true);
        reject(error);
      };
      try {
        const running = run(scope);
        abort.onAbort((reason) => fail(abortReason(reason)));
        running.then((value) => {
          settle(false);
          resolve(value);
        }, fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Stops a call's clock while a person is asked; returns what lets it run on. */
  pause(scope: CallScope | undefined): () => void {
    const limit = scope && this.#limits.get(scope);
    limit?.pause();
    return () => limit?.resume();
  }

  /** Resolves when no call is under way, at the latest after `limitMs` milliseconds, when the rest is aborted. */
  async drain(limitMs: number): Promise<void> {
    if (this.#underWay.size > 0 && limitMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(limitMs, resolve);
        this.#onIdle = () => {
          cancel();
          resolve();
        };
      });
    }
    const reason = new PatchbayError("ABORTED", "The plugin stops, so the call was stopped.");
    for (const abort of [...this.#underWay]) abort.abort(reason);
  }
}

function abortReason(reason: unknown): PatchbayError {
  return reason instanceof PatchbayError
    ? reason
    : new PatchbayError("ABORTED", "The call was stopped.", { cause: reason });
}
