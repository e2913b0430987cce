import { describe, expect, it } from "vitest";
import { erf, erfc, gamma, logGamma } from "./special.ts";

const digits = (x: number) => Number(x.toPrecision(15));

describe("special functions", () => {
  it("give the gamma function of whole, half and negative numbers", () => {
    expect([5, 1, 171].map(gamma)).toEqual([24, 1, 7.257415615307999e306]);
    expect(digits(gamma(0.5))).toBe(digits(Math.sqrt(Math.PI)));
    expect(digits(gamma(-1.5))).toBe(2.36327180120735);
    expect(gamma(-2)).toBeNaN();
    expect([gamma(0), gamma(-0), gamma(180)]).toEqual([Infinity, -Infinity, Infinity]);
  });

  it("give the logarithm of the gamma function near its zeros and far out", () => {
    expect([logGamma(1), logGamma(2), logGamma(-3)]).toEqual([0, 0, Infinity]);
    expect(digits(logGamma(10))).toBe(12.8018274800815);
    expect(digits(logGamma(1000))).toBe(5905.22042320918);
    expect(digits(logGamma(1e-300))).toBe(690.775527898214);
  });

  it("give the error functions where their results are small", () => {
    expect(digits(erf(1e-10))).toBe(1.12837916709551e-10);
    expect(digits(erf(0.5))).toBe(0.520499877813047);
    expect(digits(erfc(10))).toBe(2.08848758376254e-45);
    expect([erf(-7), erfc(-7), erfc(30)]).toEqual([-1, 2, 0]);
  });
});
