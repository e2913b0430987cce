import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepEquals } from "../core/data/deep.ts";
import { formatArgs } from "../print/format.ts";
import { kw, sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { structOf, tableOf } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { Parser } from "./parser.ts";
import { ParseError, readAll } from "./read.ts";

const byte = fc.integer({ min: 0, max: 255 });
/** Bytes that mean something to the reader are frequent. */
const source = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."()[]{}@'\"`;,~|#:\\0123xre_&.- \nabu"),
      byte.map((code) => String.fromCharCode(code)),
    ),
  )
  .map((chars) => chars.join(""));
const bytes = fc.array(byte).map((codes) => String.fromCharCode(...codes));
const name = fc.stringMatching(/^[a-z!$%&*+./<=>?^_-][a-z0-9!$%&*+./:<=>?@^_-]*$/);

const data = fc.letrec<{ value: Value }>((tie) => {
  const items = fc.array(tie("value"), { maxLength: 5 });
  const pairs = fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 4 });
  return {
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom<Value>(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      bytes,
      bytes.map((text) => JBuffer.of(text)),
      name.filter((text) => readAll(text)[0] === sym(text)).map(sym),
      name.map(kw),
      items.map((list) => new JArray(list)),
      fc.tuple(items, fc.boolean()).map(([list, bracketed]) => new Tuple(list, bracketed)),
      pairs.map((list) => tableOf(list.filter(([key]) => isKey(key)))),
      pairs.map((list) => structOf(list.filter(([key]) => isKey(key)))),
    ),
  };
}).value;

/** Mutable keys are compared by identity, so what was read back cannot be compared. */
function isKey(key: Value): boolean {
  return typeof key === "number" || typeof key === "string" || typeof key === "boolean";
}

describe("the reader", () => {
  it("reads any bytes or says why it cannot", () => {
    fc.assert(
      fc.property(source, (text) => {
        try {
          expect(readAll(text)).toBeInstanceOf(Array);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("reads the same whether it is given bytes one by one or all together", () => {
    fc.assert(
      fc.property(source, (text) => {
        const [whole, single] = [new Parser(), new Parser()];
        whole.consume(text);
        for (let at = 0; at < text.length && single.peekError() === null; at++)
          single.byte(text.charCodeAt(at));
        expect([single.status, single.line, single.column, single.peekError()]).toEqual([
          whole.status,
          whole.line,
          whole.column,
          whole.peekError(),
        ]);
      }),
    );
  });

  it("gives back what %j prints", () => {
    fc.assert(
      fc.property(data, (value) => {
        const printed = formatArgs("%j", [value], 0);
        const [read] = readAll(printed) as [Value];
        expect(deepEquals(read, value)).toBe(true);
        expect(formatArgs("%j", [read], 0)).toBe(printed);
      }),
      { numRuns: 1_000 },
    );
  });
});
