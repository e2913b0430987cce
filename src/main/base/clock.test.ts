import { expect, test } from "vitest";
import { isoOf } from "./clock.ts";

test("a time is written as a Date writes it, whichever came before", () => {
  const times = [
    0, 1, 999, 1_000, 59_999.9, 1_763_806_123_456.789, 1_763_806_123_457, 253_402_300_800_000, -1, 5,
  ];
  for (const at of times) expect(isoOf(at)).toBe(new Date(Math.floor(at)).toISOString());
  expect(() => isoOf(Number.NaN)).toThrow(RangeError);
});
