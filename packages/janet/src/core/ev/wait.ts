import type { Call } from "../../values/functions.ts";
import type { Value } from "../../values/value.ts";

/** Suspends the running task until the callback is called; `begin` gives back what gives the wait up. */
export function* waitFor(
  begin: (resolve: (value: Value) => void, reject: (error: unknown) => void) => (() => void) | undefined,
): Call {
  return yield { kind: "wait", begin };
}
