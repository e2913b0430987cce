import type { AgentPluginState, CallDay } from "../../contract/agent-plugin.ts";
import { localDay } from "../../contract/shown/local-day.ts";

const dayMs = 24 * 60 * 60_000;

/** Calls of today; zero of what was not called. @param now milliseconds since 1970 */
export function callsToday(view: AgentPluginState | null, now: number): CallDay {
  return dayOf(view?.instance.calls.days ?? [], now);
}

/** The last seven days, the oldest first, those without a call included. */
export function lastSevenDays(days: readonly CallDay[], now: number): CallDay[] {
  // From noon to noon, because a day may have 23 or 25 hours.
  const noon = new Date(now).setHours(12, 0, 0, 0);
  return [6, 5, 4, 3, 2, 1, 0].map((ago) => dayOf(days, noon - ago * dayMs));
}

function dayOf(days: readonly CallDay[], at: number): CallDay {
  const day = localDay(at);
  return days.find((each) => each.day === day) ?? { day, count: 0, failed: 0 };
}
