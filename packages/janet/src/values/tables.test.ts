import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kw } from "./names.ts";
import { nextKey } from "./operators.ts";
import { Tuple } from "./sequences.ts";
import { Struct, structOf, Table, tableOf } from "./tables.ts";
import type { Value } from "./value.ts";

/** Few different keys, so that they meet; some are compared by content. */
const key = fc.oneof(
  fc.integer({ min: -3, max: 40 }),
  fc.constantFrom<Value>("a", kw("a"), true),
  fc.integer({ min: 0, max: 5 }).map((item): Value => new Tuple([item, "x"])),
);
const step = fc.record({ key, put: fc.boolean() });

/** What stands for a key in a map that compares as JS does. */
const nameOf = (value: Value) =>
  value instanceof Tuple ? `tuple ${value.items.join()}` : value === kw("a") ? "keyword a" : value;

describe("a table", () => {
  it("holds what was put last under each key, in the order in which keys were put", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const table = new Table();
        const model = new Map<unknown, number>();
        steps.forEach(({ key, put }, at) => {
          table.put(key, put ? at : null);
          if (put) model.set(nameOf(key), at);
          else model.delete(nameOf(key));
        });
        const seen: [unknown, Value][] = [];
        for (let at = nextKey(table, null); at !== null; at = nextKey(table, at))
          seen.push([nameOf(at), table.get(at)]);
        expect(seen).toEqual([...model]);
        expect(table.size).toBe(model.size);
      }),
    );
  });

  it("is seen whole by an iteration that removes each key it comes to", () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { selector: nameOf, maxLength: 60 }), (keys) => {
        const table = tableOf(keys.map((key) => [key, 1] as const));
        const seen: Value[] = [];
        for (let at = nextKey(table, null); at !== null; at = nextKey(table, at)) {
          seen.push(at);
          table.put(at, null);
        }
        expect(seen).toEqual(keys);
        expect(table.size).toBe(0);
      }),
    );
  });

  it("does not grow by keys that come and go", () => {
    const table = tableOf([["stays", 1]]);
    for (let at = 0; at < 10_000; at++) {
      table.put(at, 1);
      table.put(`other ${at}`, 1);
      table.put(at, null);
      table.put(`other ${at}`, null);
    }
    expect(table.slots).toBeLessThan(100);
  });

  it("leaves out nil and NaN, as a struct does", () => {
    expect(
      structOf([
        [null, 1],
        [Number.NaN, 1],
        ["a", null],
        ["b", 2],
      ]).size,
    ).toBe(1);
    expect(new Struct().get("a")).toBe(null);
  });
});
