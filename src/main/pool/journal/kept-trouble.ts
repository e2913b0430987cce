import { type Problem, toProblem } from "../../../contract/index.ts";

/**
 * Says once that something about plugins is not kept, until it is kept again. No plugin may fail because of it, and nobody
 * wants to read the same twice a second.
 */
export class KeptTrouble {
  readonly #onNotice: (problem: Problem) => void;
  readonly #what: string;
  #said = false;

  /** @param what the beginning of the sentence: "What plugins log is not kept" */
  constructor(what: string, onNotice: (problem: Problem) => void) {
    this.#what = what;
    this.#onNotice = onNotice;
  }

  failed(error: unknown): void {
    const problem = toProblem(error, "WRITE_FAILED");
    // Who has lost the lease says so and ends.
    if (this.#said || problem.code === "LEASE_LOST") return;
    this.#said = true;
    this.#onNotice({ ...problem, message: `${this.#what}: ${problem.message}` });
  }

  worked(): void {
    this.#said = false;
  }
}
