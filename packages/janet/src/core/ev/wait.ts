import type { Call } from "../../values/functions.ts";
import type { Value } from "../../values/value.ts";

/** Seconds as a timer takes them: whole milliseconds that are not negative, at most 24 days. */
export function millisOf(seconds: number): number {
  return seconds > 0 ? Math.min(seconds * 1_000, 2 ** 31 - 1) : 0;
}

/** Suspends the running task until the callback is called; `begin` gives back what gives the wait up. */
export function* waitFor(
  begin: (resolve: (value: Value) => void, reject: (error: unknown) => void) => (() => void) | undefined,
): Call {
  return yield { kind: "wait", begin };
}
