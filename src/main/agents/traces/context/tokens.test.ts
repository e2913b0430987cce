import fc from "fast-check";
import { expect, test } from "vitest";
import { shareOut } from "./tokens.ts";

test("the shares are whole numbers and together exactly what was counted", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(100_000), { minLength: 1, maxLength: 30 }),
      fc.nat(2_000_000),
      (weights, total) => {
        const shares = shareOut(weights, total);
        const sum = shares.reduce((all, one) => all + one, 0);
        expect(sum).toBe(weights.some((one) => one > 0) ? total : 0);
        expect(shares.every((one) => Number.isInteger(one) && one >= 0)).toBe(true);
      },
    ),
  );
  expect(shareOut([1, 1, 1], 10)).toEqual([4, 3, 3]);
});
