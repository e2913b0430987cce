import type { Value } from "../values/value.ts";
import type { Fiber } from "./fiber.ts";

/** Janet's signals, by its numbers. `user8` is also the interrupt, `user9` the event. */
export const signals = { ok: 0, error: 1, debug: 2, yield: 3, user0: 4, user8: 12, user9: 13 } as const;

/**
 * What a call yields when it suspends.
 * - `raise`: a Janet signal, for the nearest fiber whose mask takes it. Errors are not raised so but thrown ({@link JanetError}).
 * - `wait`: nothing to do until `begin`'s callbacks are called; no mask takes it, only the task's driver. `begin` returns what
 *   gives the wait up. It is how `ev/*`, dialogs and every asynchronous function of a host are made.
 * - `pause`: the call ran for long; the driver goes on with it after other work. No mask takes it.
 */
export type Signal =
  | { readonly kind: "raise"; readonly signal: number; readonly value: Value; readonly from: Fiber | null }
  | {
      readonly kind: "wait";
      begin(resolve: (value: Value) => void, reject: (error: unknown) => void): (() => void) | undefined;
    }
  | { readonly kind: "pause" };
