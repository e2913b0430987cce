import { PatchbayError } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { Run } from "./run.ts";
import { StartLimit, type StartTime } from "./start-limit.ts";

/** Starts runs one at a time, each with a time limit. A start that is under way can be cancelled. */
export class Launcher {
  readonly #clock: Clock;
  #underWay: { abort: AbortController; fingerprint: string; trial: boolean; limit: StartLimit } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Starts a run within its time limit. Resolves when it has started and passed the check. When it rejects, the run's
   * process is gone.
   *
   * @param check throws when the started run may not be used, for example because of a tool name that is taken
   */
  async launch(run: Run, trial: boolean, check: (run: Run) => void): Promise<Run> {
    const abort = new AbortController();
    const expire = (waited: StartTime) => abort.abort(run.startTimeout(waited));
    const limit = new StartLimit(this.#clock, run.startLimit, expire);
    this.#underWay = { abort, fingerprint: run.fingerprint, trial, limit };
    try {
      await run.start(abort.signal);
      await stopUnless(run, check);
      return run;
    } finally {
      limit.stop();
      this.#underWay = null;
    }
  }

  /** When the wait for a start ends that may have to fetch its program first, as ISO text; null when there is none. */
  get until(): string | null {
    const until = this.#underWay?.limit.until ?? null;
    return until === null ? null : new Date(until).toISOString();
  }

  /** Gives such a start as much time again, or the `most`. False when there is none, or it cannot have more. */
  waitLonger(most = false): boolean {
    return this.#underWay?.limit.waitLonger(most) === true;
  }

  /**
   * Cancels the start under way unless it starts what is wanted now. `fingerprint`: of the present want; null when
   * nothing should run. The trial of a new version is cancelled only when nothing should run.
   */
  wantOnly(fingerprint: string | null): void {
    const { trial, fingerprint: starting } = this.#underWay ?? {};
    if (fingerprint === null || (trial === false && starting !== fingerprint)) this.#callOff();
  }

  /** Cancels the start under way, unless it is the trial of a new version. */
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
