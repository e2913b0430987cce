/** Names of environment variables that `bin/patchbay` kept from Patchbay, separated by commas. */
const LEFT_OUT = "PATCHBAY_LEFT_OUT";

/** Most signals that are told of: whoever sends one can send thousands. */
const MOST_SIGNALS = 20;

/** What another program of this computer tried on Patchbay's own process, and what did not work. */
export type Meddling =
  /** SIGUSR1, at which Node would open a debugger to everybody on this computer. */
  | { kind: "signal"; signal: "SIGUSR1" }
  /** Variables that would have put code or a debugger into Node. */
  | { kind: "environment"; names: string[] };

/**
 * Tells of meddling until the returned function is called: at once of what was in the environment, and of each signal
 * as it comes.
 */
export function watchMeddling(told: (what: Meddling) => void): () => void {
  const names = process.env[LEFT_OUT]?.split(",").filter((name) => /^\w{1,64}$/.test(name)) ?? [];
  delete process.env[LEFT_OUT];
  if (names.length > 0) told({ kind: "environment", names });
  let signals = 0;
  const listener = () => {
    if (signals++ < MOST_SIGNALS) told({ kind: "signal", signal: "SIGUSR1" });
  };
  process.on("SIGUSR1", listener);
  return () => process.off("SIGUSR1", listener);
}
