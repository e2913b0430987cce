import type { Run } from "./run.ts";

/**
 * Holds a run of a new version that has started beside the old one. It waits until the catalogue stores the new
 * version.
 */
export class Candidate {
  #run: Run | null = null;

  get waits(): boolean {
    return this.#run !== null;
  }

  hold(run: Run): void {
    this.#run = run;
    void run.instance.exited.then(() => {
      if (this.#run === run) this.#run = null;
    });
  }

  /** The fingerprint of the waiting run; null when none waits. */
  get fingerprint(): string | null {
    return this.#run?.fingerprint ?? null;
  }

  /** Returns the waiting run and no longer holds it; null when none waits. */
  take(): Run | null {
    const run = this.#run;
    this.#run = null;
    return run;
  }

  async drop(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    await run?.instance.stop("disabled");
  }
}
