import type { Call } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./code.ts";
import type { Fiber } from "./fiber.ts";

/** Janet's signals, by its numbers. `user8` is also the interrupt, `user9` the event. */
export const signals = { ok: 0, error: 1, debug: 2, yield: 3, user0: 4, user8: 12, user9: 13 } as const;

/** A request to run one step of a call on a stack that is not deep. See {@link Deep} in deep.ts. */
export interface DeepSignal {
  readonly kind: "deep";
  readonly call: Call;
  /** In which the call runs. */
  readonly fiber: Fiber | null;
  input: unknown;
  throws: boolean;
  /** The depth at which the call stopped, from the base of its driver. */
  depth: number;
  /** The innermost call of the fiber. */
  top: Frame | null;
}

/**
 * What a call yields when it suspends.
 * - `raise`: a Janet signal, for the nearest fiber whose mask takes it. Errors are not raised so but thrown ({@link JanetError}).
 * - `wait`: nothing to do until `begin`'s callbacks are called; no mask takes it, only the task's driver. `begin` returns what
 *   gives the wait up. It is how `ev/*`, dialogs and every asynchronous function of a host are made.
 * - `pause`: the call ran for long; the driver goes on with it after other work. No mask takes it.
 * - `deep`: a call that stands too deep on the JS stack; drivers with room answer it.
 */
export type Signal =
  | { readonly kind: "raise"; readonly signal: number; readonly value: Value; readonly from: Fiber | null }
  | {
      readonly kind: "wait";
      begin(resolve: (value: Value) => void, reject: (error: unknown) => void): (() => void) | undefined;
    }
  | { readonly kind: "pause" }
  | DeepSignal;

export const pause: Signal = { kind: "pause" };

/** A signal as `signal` and error messages name it. */
export function signalName(signal: number): string {
  if (signal === signals.ok) return "ok";
  if (signal === signals.error) return "error";
  if (signal === signals.debug) return "debug";
  if (signal === signals.yield) return "yield";
  if (signal === signals.user8) return "interrupt";
  if (signal === signals.user9) return "await";
  return `user${signal - signals.user0}`;
}
