import { PatchbayError } from "../../contract/index.ts";
import type { CallAbort } from "../base/call-abort.ts";
import type { Clock } from "../base/clock.ts";
import { type PausableLimit, within } from "../base/limit.ts";

/** Who may make a plugin's clocks stand still. */
export interface ClockKeeper {
  /** Puts a clock under the rule that it stands still while this plugin waits for a person. Returns what takes it off. */
  attach(agentId: string, pluginKey: string, clock: PausableLimit): () => void;
}

/** The failure of something that was stopped on request. */
export function aborted(what: string): PatchbayError {
  return new PatchbayError("ABORTED", `${what} was stopped.`);
}

/**
 * Runs a plugin's call under a time limit and an abort signal, and settles as soon as either ends it, whatever the
 * call does. What `run` is handed is aborted then.
 * @throws TimeLimitError, PatchbayError ABORTED, or what `run` throws
 */
export function withinLimit<T>(options: {
  limitMs: number;
  clock: Clock;
  signal: AbortSignal;
  keeper: ClockKeeper;
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
