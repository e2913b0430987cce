import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digitsOf, fixedText } from "./digits.ts";
import { generalText, numberText } from "./numbers.ts";

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const size = number.map(Math.abs).filter((value) => value > 0);

describe("decimal digits", () => {
  it("give the number back when there are 17 of them", () => {
    fc.assert(
      fc.property(number, (value) => {
        expect(Number(generalText(value, 17))).toBe(value);
      }),
    );
  });

  it("are those of JS where no half is rounded", () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 20 }), (value, count) => {
        const { text, power } = digitsOf(value, count);
        const exact = BigInt(digitsOf(value, 100).text);
        const half = 5n * 10n ** BigInt(99 - count);
        fc.pre(exact % (10n * (half / 5n)) !== half);
        const [mantissa = "", exponent] = value.toExponential(count - 1).split("e");
        expect([text, power]).toEqual([mantissa.replace(".", ""), Number(exponent)]);
      }),
    );
  });

  it("print alike on the short way and on the long one", () => {
    const decimal = fc
      .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 10 }))
      .map(([digits, places]) => digits / 10 ** places)
      .filter((value) => !Number.isInteger(value));
    fc.assert(
      fc.property(decimal, (value) => {
        expect(numberText(value)).toBe(generalText(value, 15));
      }),
    );
  });

  it("round an exact half to the even digit", () => {
    expect([0.5, 1.5, 2.5, 3.5].map((value) => fixedText(value, 0))).toEqual(["0", "2", "2", "4"]);
    expect([0.125, 0.375].map((value) => fixedText(value, 2))).toEqual(["0.12", "0.38"]);
    expect(digitsOf(1234567890123.125, 15).text).toBe("123456789012312");
  });
});
