import { expect, test } from "vitest";
import { briefly, mayTakeLong, TookTooLong } from "./briefly.ts";

const forEver = (text = "a".repeat(60)) => /^(a+)+$/.test(`${text}b`);

test("work that ends gives what it returns, and throws what it throws", () => {
  expect(briefly(1_000, () => ({ answer: 42 }))).toEqual({ answer: 42 });
  expect(() =>
    briefly(1_000, () => {
      throw new RangeError("no");
    }),
  ).toThrow(RangeError);
});

test("a regular expression and a loop that never end are ended", () => {
  expect(() => briefly(50, () => forEver())).toThrow(TookTooLong);
  expect(() =>
    briefly(50, () => {
      for (;;);
    }),
  ).toThrow(TookTooLong);
});

test("within work that is bounded as a whole, its limit holds, and the next work has its own again", () => {
  expect(() => briefly(100, () => briefly(60_000, () => forEver()))).toThrow(TookTooLong);
  expect(briefly(1_000, () => "and it goes on")).toBe("and it goes on");
});

test("schemas that cannot take long are told from those that can", () => {
  expect(mayTakeLong({ type: "object", properties: { text: { type: "string" } } })).toBe(false);
  expect(mayTakeLong({ properties: { text: { pattern: "^x" } } })).toBe(true);
  expect(mayTakeLong({ $defs: {}, allOf: [{ $ref: "#/$defs/a" }] })).toBe(true);
  expect(mayTakeLong({ enum: Array.from({ length: 10_000 }, (_, index) => index) })).toBe(true);
});
