import type { Client } from "@modelcontextprotocol/client";
import type { LogLevel } from "../../../../contract/index.ts";
import { systemClock } from "../../../base/clock.ts";
import type { CallScope } from "../../plugin-call.ts";
import type { HostServices } from "../../runtime.ts";

/** Most characters of a line. */
const MOST_LINE = 4_000;
/** Most lines within a second; more are left out. */
const MOST_PER_SECOND = 200;

/**
 * Writes what a server sends as its log into the plugin's log. No level is ever asked for: a server of the older era decides
 * itself what it sends, and one of the newer era sends nothing.
 *
 * @param during the call to which a line belongs, where only one can be meant
 */
export function takeServerLog(
  client: Client,
  { log }: Pick<HostServices, "log">,
  during: () => CallScope | undefined,
): void {
  let second = 0;
  let lines = 0;
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const now = Math.floor(systemClock.ticks() / 1_000);
    if (now !== second) {
      second = now;
      lines = 0;
    }
    lines += 1;
    if (lines === MOST_PER_SECOND) log("warn", "It writes more log lines than are kept.", "patchbay");
    if (lines >= MOST_PER_SECOND) return;
    const { level, logger, data } = params;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    log(levels[level], `${logger ? `${logger}: ` : ""}${text}`.slice(0, MOST_LINE), "plugin", during());
  });
}

const levels = {
  debug: "debug",
  info: "info",
  notice: "info",
  warning: "warn",
  error: "error",
  critical: "error",
  alert: "error",
  emergency: "error",
} as const satisfies Record<string, LogLevel>;
