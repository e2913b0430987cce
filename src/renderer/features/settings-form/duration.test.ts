import { describe, expect, it } from "vitest";
import { isoMs, readable, timeUnit, toIso } from "./values/duration.ts";

describe("durations", () => {
  it.each([
    ["PT30S", 30_000],
    ["PT1H30M", 5_400_000],
    ["P2D", 172_800_000],
    ["P1W", 604_800_000],
    ["PT0.25S", 250],
    ["PT0S", 0],
  ])("reads %s", (text, ms) => {
    expect(isoMs(text)).toBe(ms);
  });

  it.each(["P1M", "P1Y", "P", "PT", "P1DT", "30s", ""])("leaves %s as it is", (text) => {
    expect(isoMs(text)).toBeNull();
  });

  it("shows the largest unit that leaves no rest, and never one below the least", () => {
    expect(readable(300_000, "ms")).toEqual({ amount: 5, unit: "min" });
    expect(readable(5_400_000, "s")).toEqual({ amount: 90, unit: "min" });
    expect(readable(1_500, "s")).toEqual({ amount: 1.5, unit: "s" });
    expect(readable(0, "s")).toEqual({ amount: 0, unit: "s" });
  });

  it("writes what it read, whatever unit it is shown in", () => {
    for (const ms of [0, 250, 1_000, 90_000, 7_200_000, 172_800_000])
      expect(isoMs(toIso(readable(ms, "ms")))).toBe(ms);
    expect(toIso({ amount: 1.5, unit: "h" })).toBe("PT5400S");
  });

  it("knows units of time from others", () => {
    expect(timeUnit("minutes")).toBe("min");
    expect(timeUnit("°C")).toBeNull();
    expect(timeUnit(undefined)).toBeNull();
  });
});
