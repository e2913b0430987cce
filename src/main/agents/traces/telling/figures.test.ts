import { expect, test } from "vitest";
import { amount, dollars, duration } from "./figures.ts";

test.each([
  [0, "0 ms"],
  [0.44, "0.4 ms"],
  [38.2, "38 ms"],
  [1_254, "1.25 s"],
  [59_999, "60 s"],
  [185_000, "3 min 5 s"],
])("%s milliseconds are read as %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("numbers have their thousands apart", () => {
  expect([0, 999, 12_345, 1_234_567].map(amount)).toEqual(["0", "999", "12\u202f345", "1\u202f234\u202f567"]);
});

test.each([
  [0, "$0.00"],
  [1.5, "$1.50"],
  [0.01, "$0.01"],
  [0.0042, "$0.0042"],
  [0.00000042, "$0.00000042"],
])("%s dollars are read as %s", (cost, text) => {
  expect(dollars(cost)).toBe(text);
});
