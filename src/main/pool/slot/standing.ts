import type { InstanceState, Problem } from "../../../contract/index.ts";
import { type Clock, isoTime } from "../../base/clock.ts";
import { nextState, type StateSignal } from "./states.ts";

/** The state of an instance, the time of its last change, and the reason. */
export class Standing {
  readonly #clock: Clock;
  readonly #changed: () => void;
  state: InstanceState = "stopped";
  reason: Problem | null = null;
  since: string;

  /** @param changed called after each change of the state */
  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock;
    this.#changed = changed;
    this.since = isoTime(clock);
  }

  /** @throws PatchbayError INTERNAL when the signal cannot happen in this state */
  become(signal: StateSignal, reason: Problem | null = null): void {
    const next = nextState(this.state, signal);
    if (next !== this.state) this.since = isoTime(this.#clock);
    this.state = next;
    this.reason = reason;
    this.#changed();
  }
}
