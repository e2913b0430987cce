import fc from "fast-check";
import { expect, it } from "vitest";
import { makeCore } from "../../src/core/core.ts";
import { createEngine } from "../../src/engine.ts";
import { Unmarshaller } from "../../src/marshal/read.ts";
import { Marshaller } from "../../src/marshal/write.ts";
import { formatArgs } from "../../src/print/format.ts";
import { pretty } from "../../src/print/pretty.ts";
import { readAll } from "../../src/reader/read.ts";
import { toBytes } from "../../src/values/bytes.ts";
import { kw, sym } from "../../src/values/names.ts";
import { JArray, JBuffer, Tuple } from "../../src/values/sequences.ts";
import { structOf, tableOf } from "../../src/values/tables.ts";
import type { Value } from "../../src/values/value.ts";
import { JanetError } from "../../src/vm/janet-error.ts";
import { Vm } from "../../src/vm/vm.ts";

const bytes = fc.oneof(
  fc.string({ maxLength: 8, unit: "binary" }).map(toBytes),
  fc.uint8Array({ maxLength: 8 }).map((array) => String.fromCharCode(...array)),
);
const name = fc
  .stringMatching(/^[a-z*/<>=!?_][a-z0-9+*/<>=!?_.-]{0,5}$/)
  .filter((text) => !["nil", "true", "false"].includes(text));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
);
// Mutable keys have no order of their own.
const key = fc.oneof<fc.Arbitrary<Value>[]>(number, bytes, name.map(kw));
const { data } = fc.letrec<{ data: Value }>((tie) => ({
  data: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Value[]>(null, true, false),
    number,
    bytes,
    name.map(kw),
    name.map(sym),
    bytes.map((text) => JBuffer.of(text)),
    fc.array(tie("data"), { maxLength: 4 }).map((items) => new JArray(items)),
    fc
      .tuple(fc.array(tie("data"), { maxLength: 4 }), fc.boolean())
      .map(([items, square]) => new Tuple(items, square)),
    fc.array(fc.tuple(key, tie("data")), { maxLength: 4 }).map((pairs) => structOf(pairs)),
    fc.array(fc.tuple(key, tie("data")), { maxLength: 4 }).map((pairs) => tableOf(pairs)),
  ),
}));

const runs = process.env.FUZZ_RUNS ? { numRuns: Number(process.env.FUZZ_RUNS) } : { numRuns: 500, seed: 7 };
const newVm = () => new Vm(makeCore(), { capabilities: {}, stdout() {}, stderr() {}, cwd: "/", args: [] });

function marshalled(vm: Vm, value: Value): string {
  const out = new JBuffer();
  new Marshaller(vm, out, null, true).write(value);
  return out.text();
}

const jdn = (value: Value) => formatArgs("%j", [value], 0);

it("what %j prints reads as the same value", () => {
  fc.assert(
    fc.property(data, (value) => {
      expect(jdn(readAll(jdn(value))[0] as Value)).toBe(jdn(value));
    }),
    runs,
  );
});

it("numbers of %j are the same number", () => {
  fc.assert(
    fc.property(number, (value) => {
      expect(readAll(jdn(value))[0]).toBe(value);
    }),
    runs,
  );
});

it("what is marshalled comes back", () => {
  const vm = newVm();
  fc.assert(
    fc.property(data, (value) => {
      expect(pretty(new Unmarshaller(vm, marshalled(vm, value), null).read())).toBe(pretty(value));
    }),
    runs,
  );
});

it("bytes that are damaged are a value or a Janet error", async () => {
  const vm = newVm();
  const source = `(do (var n 1) [(fn f [x &opt y] (++ n) (f x)) (fiber/new (fn [] n)) (peg/compile ~(* (<- "a") (any :d)))
    (int/s64 5) (math/rng 1) inc @{:a [1 2] :b @"x"} (table/setproto @{} @{1 2})])`;
  const engine = createEngine();
  const bytes = marshalled(engine.vm, await engine.evaluate(source));
  const damage = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(damage, fc.nat(bytes.length), (changes, length) => {
      const damaged = [...bytes];
      for (const [at, byte] of changes) damaged[at] = String.fromCharCode(byte);
      try {
        new Unmarshaller(vm, damaged.join("").slice(length % 3 === 0 ? length : 0), null).read();
      } catch (error) {
        if (!(error instanceof JanetError)) throw error;
      }
    }),
    runs,
  );
});
