import { PatchbayError } from "../../../contract/index.ts";
import type { CallAbort } from "../../base/call-abort.ts";
import type { Clock } from "../../base/clock.ts";
import { type PausableLimit, within } from "../../base/limit.ts";
import type { CallScope } from "../../runtimes/plugin-call.ts";
import type { Figures } from "../figures/figures.ts";

/**
 * The calls under way in one started plugin. It gives each its time limit, and lets all of them finish before the
 * plugin is stopped.
 */
export class CallLedger {
  readonly #clock: Clock;
  readonly #figures: Figures;
  readonly #underWay = new Set<CallAbort>();
  readonly #limits = new Map<CallScope, PausableLimit>();
  readonly #settled: () => void;
  #onIdle: (() => void) | undefined;

  /** @param settled called each time a call has ended, whether it succeeded or failed */
  constructor(clock: Clock, figures: Figures, settled: () => void = () => {}) {
    this.#clock = clock;
    this.#figures = figures;
    this.#settled = settled;
  }

  /**
   * Runs a call. A scope with an `abort` of its own has a caller that already ends the call in time, so nothing more is
   * done here. Any other call is ended here, when its signal is aborted or its time is over.
   *
   * @param late makes the error for a call that took too long
   * @throws what `run` throws, what `late` makes, or ABORTED
   */
  run<S extends CallScope, T>(
    scope: S,
    late: (limitMs: number) => PatchbayError,
    run: (scope: S) => Promise<T>,
  ): Promise<T> {
    if (scope.abort) return this.#count(scope.abort, scope, run);
    const { signal, timeoutMs } = scope;
    let own: S | undefined;
    const watch = (limit: PausableLimit) => {
      if (own) this.#limits.set(own, limit);
      return () => own && this.#limits.delete(own);
    };
    return within(
      { clock: this.#clock, ms: timeoutMs, signal, late, stopped: abortReason, watch },
      (abort) => {
        own = { ...scope, abort, signal: abort.signal };
        return this.#count(abort, own, run);
      },
    );
  }

  #count<S extends CallScope, T>(abort: CallAbort, scope: S, run: (scope: S) => Promise<T>): Promise<T> {
    if (abort.aborted) return Promise.reject(abort.reason);
    const startedAt = this.#clock.ticks();
    const running = run(scope);
    this.#underWay.add(abort);
    const settle = (failed: boolean) => {
      if (!this.#underWay.delete(abort)) return;
      this.#figures.add(this.#clock.ticks() - startedAt, failed);
      this.#settled();
      if (this.#underWay.size === 0) this.#onIdle?.();
    };
    abort.onAbort(() => settle(true));
    running.then(
      () => settle(false),
      () => settle(true),
    );
    return running;
  }

  /** Pauses the time limit of a call, if it has one here, while a person is asked. The returned function resumes it. */
  pause(scope: CallScope | undefined): () => void {
    const limit = scope && this.#limits.get(scope);
    limit?.pause();
    return () => limit?.resume();
  }

  /** Resolves when no call is under way any more. After `limitMs` milliseconds the calls that are left are aborted. */
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
