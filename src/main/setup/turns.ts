import { PatchbayError } from "../../contract/index.ts";
import { type TimeLimit, withinTime } from "./runner/time-limit.ts";

/** One thing at a time: whatever begins stops what was going on, so that a late answer changes nothing. */
export class Turns {
  readonly #limit: TimeLimit;
  readonly #ended: () => void;
  #current = new AbortController();

  /** @param ended another turn begins */
  constructor(limit: TimeLimit, ended: () => void) {
    this.#limit = limit;
    this.#ended = ended;
  }

  get current(): AbortController {
    return this.#current;
  }

  next(reason?: unknown): AbortController {
    this.#ended();
    this.#current.abort(reason ?? new PatchbayError("ABORTED", "Something else was asked for."));
    this.#current = new AbortController();
    return this.#current;
  }

  /** Work of a turn that must answer in time. @throws PatchbayError SETUP_TIMEOUT, and what the work throws */
  run<T>(turn: AbortController, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withinTime(this.#limit, turn.signal, work);
  }
}
