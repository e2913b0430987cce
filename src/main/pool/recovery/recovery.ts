import type { Clock } from "../../base/clock.ts";
import { CrashRule } from "./crash-rule.ts";

/** Milliseconds until a server that cannot be reached is tried again; doubled each time, up to the longest. */
const REACH_MS = { first: 4_000, longest: 5 * 60_000 };

/** Plans the restarts after crashes and gives up when there are too many; what is out of reach is tried for ever. */
export class Recovery {
  readonly #clock: Clock;
  readonly #restart: () => void;
  readonly #rule = new CrashRule();
  #cancel: () => void = () => {};
  #nextReachMs = REACH_MS.first;
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
    if (verdict !== "quarantine") this.#restartIn(verdict);
    return verdict;
  }

  /** It could not be started because what it needs elsewhere did not answer. @returns milliseconds until the next try */
  outOfReach(): number {
    this.cancel();
    const pause = this.#nextReachMs;
    this.#nextReachMs = Math.min(REACH_MS.longest, pause * 2);
    this.#restartIn(pause);
    return pause;
  }

  /** It runs: the next time that something is out of reach, the pauses begin anew. */
  started(): void {
    this.#nextReachMs = REACH_MS.first;
    this.afterCrash = false;
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
    this.started();
  }

  #restartIn(pause: number): void {
    this.nextRestartAt = new Date(this.#clock.now() + pause).toISOString();
    this.#cancel = this.#clock.after(pause, () => {
      this.cancel();
      this.afterCrash = true;
      this.#restart();
    });
  }
}
