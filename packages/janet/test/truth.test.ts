import { describe, expect, test } from "vitest";
import { runCase } from "../src/cli/cases.ts";
import { outcomeOf, truthCases } from "./truth-cases.ts";

/** Cases that our engine answers otherwise, by their code, each with the reason. May only shrink; most is ten. */
const known = new Map<string, string>([]);

const cases = truthCases();

test("the answers of a real Janet are there, and few of them are known to differ", () => {
  expect(cases?.length, "the shared data, or the file that JANET_TRUTH names").toBeGreaterThan(100);
  expect(known.size).toBeLessThanOrEqual(10);
});

describe("value, error, phase and output are those of a real Janet", () => {
  test.each(cases ?? [])("$group: $code", async (one) => {
    const got = outcomeOf(await runCase(one.code));
    if (known.has(one.code))
      expect(got, "a known difference is gone: take it out").not.toEqual(outcomeOf(one));
    else expect(got).toEqual(outcomeOf(one));
  });
});

describe("parse and compile errors stand where a real Janet finds them", () => {
  const placed = (cases ?? []).filter(({ line, code }) => line !== undefined && !known.has(code));
  test.each(placed)("$group: $code", async ({ code, line, column }) => {
    expect(await runCase(code)).toMatchObject({ line, column });
  });
});
