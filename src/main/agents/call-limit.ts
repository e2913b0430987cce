import { PatchbayError } from "../../contract/index.ts";
import type { CallAbort } from "../base/call-abort.ts";
import type { Clock } from "../base/clock.ts";
import { type PausableLimit, within } from "../base/limit.ts";

/** Stops the time limits of a plugin's calls while the plugin waits for a person. */
export interface LimitKeeper {
  /** From now on the limit stands still while this plugin waits for a person. Returns a function that ends this. */
  attach(agentId: string, pluginKey: string, limit: PausableLimit): () => void;
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
  run(abort: CallAbort): Promise<T>;
}): Promise<T> {
  const { limitMs, clock, signal, keeper, agentId, pluginKey } = options;
  return within(
    {
      ms: limitMs,
      clock,
      signal,
      stopped: () => aborted("The call"),
      watch: (limit) => keeper.attach(agentId, pluginKey, limit),
    },
    options.run,
  );
}
