import { describe, expect, it } from "vitest";
import { isInt64, makeS64 } from "../core/math/int64.ts";
import type { Vm } from "../vm/vm.ts";
import { kw, sym } from "./names.ts";
import {
  addSmall,
  applyOperator,
  compareValues,
  getValue,
  inValue,
  lengthOf,
  negate,
  nextKey,
  operators,
  putValue,
} from "./operators.ts";
import { JArray, Tuple } from "./sequences.ts";
import { Table, tableOf } from "./tables.ts";
import type { Value } from "./value.ts";

// None of these operands has a method that would need an engine.
const vm = {} as Vm;
const apply = (name: string, ...args: Value[]) => {
  const operator = operators.get(name);
  if (!operator) throw new Error(`no operator ${name}`);
  return applyOperator(operator, args, vm);
};

describe("operators", () => {
  it("start from their unit when they have one operand, and give their zero without", () => {
    expect(["+", "-", "*", "/", "band"].map((name) => apply(name))).toEqual([0, 0, 1, 1, -1]);
    expect([apply("-", 5), apply("/", 4), apply("div", 8), apply("-", 9, 2, 3)]).toEqual([-5, 0.25, 0, 4]);
  });

  it("name both methods when they find none, and only the left one beside a small literal", () => {
    expect(() => apply("+", 1, null)).toThrow(/could not find method :\+ for .* or :r\+ for /);
    expect(() => addSmall(null, 1, vm)).toThrow(/could not find method :\+ for \S+$/);
    expect(() => negate(null, vm)).toThrow("could not find method :*");
  });

  it("compute mod and % as Janet does around zero", () => {
    expect([apply("mod", -7, 3), apply("%", -7, 3), apply("mod", 5, 0), apply("%", 5, 0)]).toEqual([
      2,
      -1,
      5,
      Number.NaN,
    ]);
  });

  it("take 32-bit integers alone for bits, and unsigned ones for brushift", () => {
    expect([apply("blshift", 1, 31), apply("brushift", 4294967295, 1)]).toEqual([-(2 ** 31), 2 ** 31 - 1]);
    expect(() => apply("band", 2 ** 32, 1)).toThrow("out of range for 32-bit signed integers");
    expect(() => apply("brushift", -1, 1)).toThrow("out of range for 32-bit unsigned integers");
  });

  it("wrap boxed integers, whichever side they stand on", () => {
    const result = apply("-", 1, makeS64(3n));
    expect(isInt64(result) && result.data).toBe(-2n);
    const wrapped = apply("+", makeS64(2n ** 63n - 1n), 1);
    expect(isInt64(wrapped) && wrapped.data).toBe(-(2n ** 63n));
  });

  it("order values by type first, then by content", () => {
    const values: Value[] = [kw("a"), sym("b"), "x", true, false, null, 3, new Tuple([2]), new Tuple([1, 2])];
    values.sort(compareValues);
    expect(values.slice(0, 7)).toEqual([3, null, false, true, "x", sym("b"), kw("a")]);
    expect(values.slice(7).map((tuple) => (tuple as Tuple).items.length)).toEqual([2, 1]);
  });
});

describe("access", () => {
  it("gives nil for get and an error for in when an index is out of range", () => {
    expect([getValue("abc", 0), getValue("abc", 9), getValue(5, kw("a"))]).toEqual([97, null, null]);
    expect(() => inValue(new JArray([1]), -1)).toThrow(
      /expected integer key for array in range \[0, 1\), got /,
    );
    expect(() => inValue(5, 0)).toThrow("expected string, symbol, keyword, array");
  });

  it("grows an array with nil up to the index that is put, and refuses an absurd one", () => {
    const array = putValue(new JArray(), 2, "x") as JArray;
    expect(array.items).toEqual([null, null, "x"]);
    expect(() => putValue(array, 2_000_000_000, 1)).toThrow("out of memory");
    expect(lengthOf(array, vm)).toBe(3);
  });

  it("goes on with an iteration whose key was removed, and ends when the last was", () => {
    const table = tableOf([..."abcd"].map((name) => [name, 1] as const));
    const seen: Value[] = [];
    for (let key = nextKey(table, null); key !== null; key = nextKey(table, key)) {
      seen.push(key);
      table.put(key, null);
    }
    expect(seen).toEqual(["a", "b", "c", "d"]);
    expect(nextKey(new Table(), null)).toBe(null);
  });
});
