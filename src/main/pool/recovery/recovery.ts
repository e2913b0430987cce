import type { Clock } from "../../base/clock.ts";
import { CrashRule } from "./crash-rule.ts";

/** Plans the restarts after crashes and gives up when there are too many. */
export class Recovery {
  readonly #clock: Clock;
  readonly #restart: () => void;
  readonly #rule = new CrashRule();
  #cancel: () => void = () => {};
  /** When the planned restart happens, as an ISO text. */
  nextRestartAt: string | null = null;
  /** The next start follows a crash: the error of the crash then stays visible. */
  afterCrash = false;

  constructor(clock: Clock, restart: () => void) {
    this.#clock = clock;
    this.#restart = restart;
  }

  /** @returns milliseconds until the restart, or "quarantine" */
  crashed(): number | "quarantine" {
    this.cancel();
    const verdict = this.#rule.crashed(this.#clock.now());
    if (verdict === "quarantine") return verdict;
    this.nextRestartAt = new Date(this.#clock.now() + verdict).toISOString();
    this.#cancel = this.#clock.after(verdict, () => {
      this.cancel();
      this.afterCrash = true;
      this.#restart();
    });
    return verdict;
  }

  /** Cancels a planned restart. */
  cancel(): void {
    this.#cancel();
    this.#cancel = () => {};
    this.nextRestartAt = null;
  }

  /** Cancels a planned restart and sets the count of crashes to 0. Called when the person changed something. */
  forget(): void {
    this.cancel();
    this.#rule.forget();
    this.afterCrash = false;
  }
}
