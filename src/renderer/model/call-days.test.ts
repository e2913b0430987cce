import { expect, it } from "vitest";
import type { AgentPluginState } from "../../contract/agent-plugin.ts";
import { callsToday, lastSevenDays } from "./call-days.ts";

const at = (text: string) => new Date(text).getTime();
const days = [
  { day: "2026-03-28", count: 3, failed: 0 },
  { day: "2026-03-30", count: 41, failed: 2 },
];
const view = { instance: { calls: { days } } } as unknown as AgentPluginState;

it("counts the calls of today alone, and none after midnight", () => {
  expect(callsToday(view, at("2026-03-30T23:59:59")).count).toBe(41);
  expect(callsToday(view, at("2026-03-31T00:00:01")).count).toBe(0);
  expect(callsToday(null, at("2026-03-30T12:00:00")).count).toBe(0);
});

it("shows each of seven days once, also those of a change of the clock", () => {
  const shown = lastSevenDays(days, at("2026-03-31T00:30:00"));
  expect(shown.map(({ day }) => day.slice(5))).toEqual([
    "03-25",
    "03-26",
    "03-27",
    "03-28",
    "03-29",
    "03-30",
    "03-31",
  ]);
  expect(shown.map(({ count }) => count)).toEqual([0, 0, 0, 3, 0, 41, 0]);
});
