import { PatchbayError } from "../../contract/index.ts";
import type { CallAbort } from "../base/call-abort.ts";
import type { Clock } from "../base/clock.ts";
import { type PausableLimit, within } from "../base/limit.ts";

/** Whose call a time limit is for. `sessionId`: the conversation; empty: none. */
export interface LimitPlace {
  agentId: string;
  pluginKey: string;
  sessionId: string;
}

/** Stops the time limits of calls while they wait for a person. */
export interface LimitKeeper {
  /** From now on the limit stands still while a person is waited for there. Returns a function that ends this. */
  attach(place: LimitPlace, limit: PausableLimit): () => void;
}

/** The time limits of the calls that run. */
export class RunningLimits implements LimitKeeper {
  private readonly running = new Map<PausableLimit, LimitPlace>();
  private readonly holds = new Set<{ fits(place: LimitPlace): boolean; held: Set<PausableLimit> }>();

  attach(place: LimitPlace, limit: PausableLimit): () => void {
    this.running.set(limit, place);
    for (const hold of this.holds) if (hold.fits(place)) this.pause(hold, limit);
    return () => this.running.delete(limit);
  }

  /** Lets every limit that fits stand still, those that come as well. The returned function lets them run again. */
  hold(fits: (place: LimitPlace) => boolean): () => void {
    const hold = { fits, held: new Set<PausableLimit>() };
    this.holds.add(hold);
    for (const [limit, place] of this.running) if (fits(place)) this.pause(hold, limit);
    return () => {
      if (this.holds.delete(hold)) for (const limit of hold.held) limit.resume();
    };
  }

  private pause({ held }: { held: Set<PausableLimit> }, limit: PausableLimit): void {
    held.add(limit);
    limit.pause();
  }
}

/** The failure of something that was stopped on request. */
export function aborted(what: string): PatchbayError {
  return new PatchbayError("ABORTED", `${what} was stopped.`);
}

/**
 * Runs a plugin's call under a time limit and an abort signal. Settles as soon as either ends it, even when the call
 * itself does not; the signal given to `run` is aborted then.
 * @throws TimeLimitError, PatchbayError ABORTED, or what `run` throws
 */
export function withinLimit<T>(options: {
  limitMs: number;
  clock: Clock;
  signal: AbortSignal;
  keeper: LimitKeeper;
  agentId: string;
  pluginKey: string;
  /** The conversation; empty: none. */
  sessionId: string;
  /** @param goesOn lets the time begin anew, see {@link PausableLimit.restart} */
  run(abort: CallAbort, goesOn: () => void): Promise<T>;
}): Promise<T> {
  let running: PausableLimit | undefined;
  const { limitMs, clock, signal, keeper, agentId, pluginKey, sessionId } = options;
  return within(
    {
      ms: limitMs,
      clock,
      signal,
      stopped: () => aborted("The call"),
      watch: (limit) => {
        running = limit;
        return keeper.attach({ agentId, pluginKey, sessionId }, limit);
      },
    },
    (abort) => options.run(abort, () => running?.restart()),
  );
}
