import { describe, expect, it } from "vitest";
import { makeS64 } from "../core/math/int64.ts";
import { compileWith, pegType } from "../peg/peg.ts";
import { pretty } from "../print/pretty.ts";
import { readAll } from "../reader/read.ts";
import { Abstract } from "../values/abstract.ts";
import { equals } from "../values/equality.ts";
import { Native } from "../values/functions.ts";
import { kw, sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { type Table, tableOf } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { JanetError } from "../vm/janet-error.ts";
import { Vm } from "../vm/vm.ts";
import { Unmarshaller } from "./read.ts";
import { Marshaller } from "./write.ts";

const inc = new Native("function", "inc", 1, 1, ([x = null]) => Number(x) + 1, null);
const core = tableOf([[sym("inc"), tableOf([[kw("value"), inc]])]]);
const vm = new Vm(core, { capabilities: {}, stdout() {}, stderr() {}, cwd: "/", args: [] });

function bytesOf(value: Value, names: Table | null = null, shares = true): string {
  const out = new JBuffer();
  new Marshaller(vm, out, names, shares).write(value);
  return out.text();
}
function back(value: Value): Value {
  return new Unmarshaller(vm, bytesOf(value), null).read();
}
function words(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof JanetError) return error.value;
    throw error;
  }
  throw new Error("no error");
}

describe("marshalling", () => {
  it.each([
    "nil",
    "true",
    "127",
    "128",
    "-1",
    "-129",
    "2147483647",
    "-2147483648",
    "2147483648",
    "0.1",
    "-1e300",
    '"text \\xff\\0"',
    "symbol",
    ":keyword",
    "(1 (2 [3]) @[4])",
    "{:a {:b 1} 2 (3)}",
    '@{"k" @"buffer"}',
  ])("gives %s back", (source) => {
    const value = readAll(source)[0] as Value;
    expect(pretty(back(value))).toBe(pretty(value));
  });

  it("keeps the sign of zero, boxed integers and prototypes", () => {
    expect(Object.is(back(-0), -0)).toBe(true);
    expect(equals(back(makeS64(-5n)), makeS64(-5n))).toBe(true);
    const child = tableOf([[1, 2]]);
    child.proto = tableOf([[3, 4]]);
    expect((back(child) as Table).get(3)).toBe(4);
  });

  it("keeps cycles and what is shared", () => {
    const array = new JArray();
    array.items.push(array, new Tuple([array]));
    const read = back(array) as JArray;
    expect(read.items[0]).toBe(read);
    expect((read.items[1] as Tuple).items[0]).toBe(read);
    let shared: Value = new Tuple([1]);
    for (let depth = 0; depth < 100; depth++) shared = new Tuple([shared, shared]);
    expect(bytesOf(shared).length).toBeLessThan(1_000);
    const copy = back(shared) as Tuple;
    expect(copy.items[0]).toBe(copy.items[1]);
  });

  it("compiles a peg again", () => {
    const grammar = readAll('(* (<- "a") 1)')[0] as Value;
    const read = back(new Abstract(pegType, compileWith(grammar, null))) as Abstract;
    expect(read.type).toBe(pegType);
    expect(read.data.code).toEqual(compileWith(grammar, null).code);
  });

  it("writes core functions by name, and what a dictionary names", () => {
    expect(back(inc)).toBe(inc);
    const bytes = bytesOf(new Tuple([5, "x"]), tableOf([["x", sym("ex")]]));
    expect(pretty(new Unmarshaller(vm, bytes, tableOf([[sym("ex"), "y"]])).read())).toBe('(5 "y")');
    expect(pretty(new Unmarshaller(vm, bytes, null).read())).toBe("(5 nil)");
  });

  it("refuses what cannot be written", () => {
    const print = new Native("cfunction", "print", 0, 1, () => null, null);
    expect(words(() => bytesOf(print))).toBe("no registry value and cannot marshal <cfunction print>");
    const cycle = new JArray();
    cycle.items.push(cycle);
    expect(words(() => bytesOf(cycle, null, false))).toBe("stack overflow");
  });

  it("says what is wrong with bytes", () => {
    const bytes = bytesOf(new Tuple(["abc", 300, 0.5, kw("k")]));
    for (let length = 0; length < bytes.length; length++) {
      expect(words(() => new Unmarshaller(vm, bytes.slice(0, length), null).read())).toBe(
        "unexpected end of source",
      );
    }
    expect(words(() => new Unmarshaller(vm, "\xff", null).read())).toBe("unknown byte ff at index 0");
  });
});
