import type { LogLevel } from "../../../../contract/index.ts";
import { HostError, stackOf } from "../../hosted/node/host-error.ts";
import type { HostPort } from "../../hosted/node/port.ts";
import { currentCall } from "../../hosted/node/requests.ts";

/** Most characters of a stack in the log. */
const MOST = 4_000;

/**
 * Writes where plugin code failed into the plugin's log, to which the failure's message sends the person. Calls of Patchbay's
 * and Node's own code are left out. Does nothing for
 * failures that the plugin's code did not make.
 *
 * @param what what failed, as the beginning of the line: `tool roll`
 */
export function logStack(port: HostPort, level: LogLevel, what: string, error: unknown): void {
  const stack = error instanceof HostError ? error.details?.stack : stackOf(error);
  if (typeof stack !== "string") return;
  const own = stack
    .split("\n")
    .filter((line) => !line.includes("(node:internal/") && !line.includes(import.meta.url));
  const during = currentCall.getStore() ?? null;
  port.post({ t: "log", level, text: `${what} failed: ${own.join("\n")}`.slice(0, MOST), during });
}
