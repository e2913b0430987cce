import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Run } from "./run.ts";

/** Starts runs one at a time, each under its time limit; a start can be called off. */
export class Launcher {
  readonly #clock: Clock;
  #underWay: { abort: AbortController; fingerprint: string; trial: boolean } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves when the run has started and passed the check; else nothing of it is left when this rejects.
   *
   * @param limitMs milliseconds that the start may take
   * @param check throws what speaks against a run that has started
   */
  async launch(run: Run, trial: boolean, limitMs: number, check: (run: Run) => void): Promise<Run> {
    const abort = new AbortController();
    this.#underWay = { abort, fingerprint: run.fingerprint, trial };
    const cancelLimit = this.#clock.after(limitMs, () => abort.abort(run.startTimeout(limitMs)));
    try {
      await run.start(abort.signal);
      await stopUnless(run, check);
      return run;
    } finally {
      cancelLimit();
      this.#underWay = null;
    }
  }

  /** Calls off the start of what is not wanted any more; a version that is only tried goes on when something is wanted. */
  wantOnly(fingerprint: string | null): void {
    const { trial, fingerprint: starting } = this.#underWay ?? {};
    if (fingerprint === null || (trial === false && starting !== fingerprint)) this.#callOff();
  }

  /** Calls off a start that is no trial. */
  callOff(): void {
    if (this.#underWay?.trial === false) this.#callOff();
  }

  #callOff(): void {
    this.#underWay?.abort.abort(new PatchbayError("ABORTED", "The start was called off."));
  }
}

async function stopUnless(run: Run, check: (run: Run) => void): Promise<void> {
  try {
    check(run);
  } catch (error) {
    await run.instance.stop("disabled");
    throw error;
  }
}
