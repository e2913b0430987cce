import { PatchbayError } from "../../contract/index.ts";
import type { CallScope } from "../runtimes/runtime.ts";
import type { CallStats } from "./call-stats.ts";
import { type Clock, PausableLimit } from "./clock.ts";

interface Entry {
  controller: AbortController;
  limit: PausableLimit | undefined;
}

/** The calls under way in one started plugin: each with its time limit, all of them drained before a stop. */
export class CallLedger {
  readonly #clock: Clock;
  readonly #stats: CallStats;
  readonly #entries = new Set<Entry>();
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
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const { signal } = controller;
      const stop = () => controller.abort(abortReason(scope.signal));
      if (scope.signal.aborted) return reject(abortReason(scope.signal));
      const inner: S = { ...scope, signal };
      const limit = Number.isFinite(scope.timeoutMs)
        ? new PausableLimit(this.#clock, scope.timeoutMs, () => controller.abort(late(scope.timeoutMs)))
        : undefined;
      const entry: Entry = { controller, limit };
      if (limit) this.#limits.set(inner, limit);
      this.#entries.add(entry);
      const startedAt = performance.now();
      const settle = (failed: boolean) => {
        if (!this.#entries.delete(entry)) return;
        limit?.stop();
        this.#limits.delete(inner);
        scope.signal.removeEventListener("abort", stop);
        this.#stats.add(performance.now() - startedAt, failed);
        if (this.#entries.size === 0) this.#onIdle?.();
      };
      const fail = (error: unknown) => {
        settle(true);
        reject(error);
      };
      scope.signal.addEventListener("abort", stop, { once: true });
      signal.addEventListener("abort", () => fail(signal.reason), { once: true });
      run(inner).then((value) => {
        settle(false);
        resolve(value);
      }, fail);
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
    if (this.#entries.size > 0 && limitMs > 0) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(limitMs, resolve);
        this.#onIdle = () => {
          cancel();
          resolve();
        };
      });
    }
    const reason = new PatchbayError("ABORTED", "The plugin stops, so the call was stopped.");
    for (const { controller } of [...this.#entries]) controller.abort(reason);
  }
}

function abortReason(signal: AbortSignal): PatchbayError {
  return signal.reason instanceof PatchbayError
    ? signal.reason
    : new PatchbayError("ABORTED", "The call was stopped.", { cause: signal.reason });
}
