import type { Run } from "./run.ts";

/** A new version that has started beside the old one and waits for the catalogue to name it. */
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

  /** What it runs as; null when none waits. */
  get fingerprint(): string | null {
    return this.#run?.fingerprint ?? null;
  }

  /** The run, which is then no longer held. */
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
