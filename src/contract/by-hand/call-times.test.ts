import { expect, test } from "vitest";
import type { RepeatedCall } from "./by-hand.ts";
import { callTimes, timeBars } from "./call-times.ts";

const call = (ms: number, outcome: RepeatedCall["outcome"] = "executed"): RepeatedCall => ({
  index: 0,
  ms,
  executeMs: ms,
  outcome,
  problem: null,
});

test("half of the calls are as fast as p50, and 95 of a hundred as p95", () => {
  const calls = Array.from({ length: 100 }, (_, index) => call(100 - index));
  expect(callTimes(calls)).toEqual({ count: 100, failures: 0, p50: 50, p95: 95, max: 100 });
  expect(callTimes([call(7)])).toEqual({ count: 1, failures: 0, p50: 7, p95: 7, max: 7 });
  expect(callTimes([])).toBeNull();
});

test("everything that was not executed is a failure", () => {
  expect(callTimes([call(1), call(2, "failed"), call(3, "vetoed"), call(4, "rejected")])).toMatchObject({
    failures: 3,
  });
});

test("every call stands in one bar, and a slow call does not press the others together", () => {
  const calls = [...Array.from({ length: 200 }, (_, index) => call(10 + index / 10)), call(9_000, "failed")];
  const bars = timeBars(calls);
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(201);
  expect(bars.at(-1)).toMatchObject({ failures: 1 });
  expect(bars.filter(({ count }) => count > 0).length).toBeGreaterThan(20);
  expect(timeBars([call(5), call(5)]).reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(timeBars([])).toEqual([]);
});
