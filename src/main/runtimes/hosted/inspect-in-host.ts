import { PatchbayError } from "../../../contract/index.ts";
import { howItEnded } from "../../platform/how-it-ended.ts";
import type { HostExit, HostProcess } from "../../platform/platform.ts";
import { fromHostProblem, HostLine } from "./host-line.ts";
import { notUnderstood } from "./host-messages.ts";
import { Opening } from "./opening.ts";

export interface HostInspection<Facts> {
  /** Tells the host which plugin to describe; its shape depends on the runtime. */
  inspect: unknown;
  /** The host's answer as a description; null when it is none. */
  parse(facts: unknown): Facts | null;
  /** Milliseconds that it may take. */
  limitMs: number;
}

/**
 * Lets a throw-away host describe a plugin. Its process is gone when this settles; what it prints is not kept, because
 * nobody has installed it yet.
 *
 * @throws PatchbayError INSPECT_TIMEOUT, INSPECT_CRASHED, what the host says, or the signal's reason
 */
export async function inspectInHost<Facts>(
  process: HostProcess,
  { inspect, parse, limitMs }: HostInspection<Facts>,
  signal: AbortSignal,
): Promise<Facts> {
  const opening = new Opening<unknown>();
  const line = new HostLine(
    process,
    (message) => {
      if (message.t === "inspected") opening.opened(message.facts);
      else if (message.t === "failed") opening.failed(fromHostProblem(message.problem));
    },
    () => {},
  );
  void line.exited.then((exit) => {
    opening.failed(
      new PatchbayError("INSPECT_CRASHED", endedWhileRead(exit), { details: line.crash(exit).details }),
    );
  });
  const tooSlow = `The plugin did not finish loading within ${limitMs / 1_000} seconds.`;
  const timer = setTimeout(() => opening.failed(new PatchbayError("INSPECT_TIMEOUT", tooSlow)), limitMs);
  try {
    const facts = parse(await opening.wait(signal, () => line.post({ t: "inspect", inspect })));
    if (facts === null) throw fromHostProblem(notUnderstood);
    return facts;
  } finally {
    clearTimeout(timer);
    await line.kill("it was only looked at");
  }
}

/** Only an exit code is the plugin's own doing; of everything else is said how its process ended. */
function endedWhileRead(exit: HostExit): string {
  const byItself = exit.code !== null && exit.endedFor === undefined && exit.memory === undefined;
  return byItself
    ? `The plugin ended its process while it was being read (exit code ${exit.code}).`
    : `While the plugin was being read, its process ${howItEnded(exit)}.`;
}
