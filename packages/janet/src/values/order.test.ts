import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeS64, makeU64 } from "../core/math/int64.ts";
import { equals, hashOf } from "./equality.ts";
import { kw, sym } from "./names.ts";
import { compareValues } from "./operators.ts";
import { JArray, Tuple } from "./sequences.ts";
import { structOf } from "./tables.ts";
import type { Value } from "./value.ts";

const shared: Value[] = [new JArray([1]), new JArray([1]), new JArray()];
const leaf = fc.oneof(
  fc.constantFrom<Value>(null, true, false, 0, -1, 2.5, "", "a", "ab", sym("a"), kw("a"), kw("b"), ...shared),
  fc.integer({ min: -2, max: 2 }).map((value): Value => makeS64(BigInt(value))),
  fc.integer({ min: 0, max: 2 }).map((value): Value => makeU64(BigInt(value))),
);
/** Values that are made anew each time, so that equal ones are not the same object. */
const value = fc.letrec<{ value: Value; tuple: Value; struct: Value }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, leaf, tie("tuple"), tie("struct")),
  tuple: fc
    .tuple(fc.array(tie("value"), { maxLength: 3 }), fc.boolean())
    .map(([items, bracketed]): Value => new Tuple(items, bracketed)),
  struct: fc
    .array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 })
    .map((pairs): Value => structOf(pairs)),
})).value;

describe("the order of values", () => {
  it("is the same from both sides", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(compareValues(a, b) + compareValues(b, a)).toBe(0);
      }),
    );
  });

  it("can be followed from value to value", () => {
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const sorted = [a, b, c].sort(compareValues) as [Value, Value, Value];
        expect(compareValues(sorted[0], sorted[2])).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("puts at one place exactly what is equal, and that has one hash", () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(compareValues(a, b) === 0).toBe(equals(a, b));
        if (equals(a, b)) expect(hashOf(a)).toBe(hashOf(b));
      }),
      { numRuns: 1_000 },
    );
  });
});
