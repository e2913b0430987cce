import { expect, test } from "vitest";
import { CrashRule } from "./crash-rule.ts";

const minute = 60_000;

test("the delay doubles and the third crash within five minutes is the last", () => {
  const rule = new CrashRule();
  expect([rule.crashed(0), rule.crashed(minute), rule.crashed(2 * minute)]).toEqual([
    1_000,
    2_000,
    "quarantine",
  ]);
});

test("crashes that lie further apart go on, with a growing delay while they come within five minutes", () => {
  const rule = new CrashRule();
  const delays = [0, 3, 6, 9, 15].map((at) => rule.crashed(at * minute));
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 1_000]);
});

test("a crash exactly five minutes ago counts no longer", () => {
  const rule = new CrashRule();
  rule.crashed(0);
  rule.crashed(1);
  expect(rule.crashed(5 * minute)).toBe(4_000);
});

test("forgetting begins anew", () => {
  const rule = new CrashRule();
  rule.crashed(0);
  rule.crashed(1);
  rule.forget();
  expect(rule.crashed(2)).toBe(1_000);
});
