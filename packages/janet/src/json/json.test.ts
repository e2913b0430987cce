import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromJs, toJs } from "../convert.ts";
import { createEngine } from "../engine.ts";
import { pretty } from "../print/pretty.ts";
import { toText } from "../values/bytes.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

const engine = createEngine();
const run = async (source: string) => pretty(await engine.evaluate(source));
const failure = async (source: string) => run(`(get (protect ${source}) 1)`);

describe("json/encode", () => {
  it("writes what JSON has", async () => {
    expect(await run(`(json/encode {:a [1 2.5 "x\\n\\"" nil :null true] 'b @{}})`)).toBe(
      String.raw`@"{\"a\":[1,2.5,\"x\\n\\\"\",null,null,true],\"b\":{}}"`,
    );
    expect(await run(`(string (json/encode "ä\\0"))`)).toBe(String.raw`"\"\xC3\xA4\\u0000\""`);
  });

  it("lays out and appends", async () => {
    const text = await engine.evaluate(`(string (json/encode {:a [1 {}]} "  " "\\n" @"> "))`);
    expect(text).toBe('> {\n  "a": [\n    1,\n    {}\n  ]\n}');
  });

  it("refuses the rest", async () => {
    expect(await failure("(json/encode print)")).toContain("type not supported: <cfunction print>");
    expect(await failure("(json/encode {1 2})")).toBe('"object key must be a byte sequence, got 1"');
    expect(await failure("(json/encode math/inf)")).toBe('"number is not finite"');
    expect(await failure("(do (def a @[]) (array/push a a) (json/encode a))")).toBe('"recursed too deeply"');
  });
});

describe("json/decode", () => {
  it("reads with and without keywords and nils", async () => {
    const source = '`{"a": [1, -2.5e3, null, true], "b": {"c": "\\u00e4\\ud83d\\ude00\\n"}}`';
    expect(await run(`(json/decode ${source})`)).toBe(
      String.raw`@{"a" @[1 -2500 :null true] "b" @{"c" "\xC3\xA4\xF0\x9F\x98\x80\n"}}`,
    );
    expect(await run('(json/decode `{"a": {"b": null, "c": [null]}}` true true)')).toBe("@{:a @{:c @[nil]}}");
  });

  it("says where it is wrong", async () => {
    for (const [source, words] of [
      ["", "decode error at position 0: unexpected end of source"],
      ["[1,", "decode error at position 3: unexpected end of source"],
      ["[1 2]", "decode error at position 3: expected ']'"],
      ["01", "decode error at position 1: unexpected extra token"],
      ['"\\x"', "decode error at position 3: bad escape in string"],
      ["{1:2}", "decode error at position 1: expected '\"'"],
      ["nul", "decode error at position 0: bad value"],
    ])
      expect(await engine.evaluate(`(get (protect (json/decode ${JSON.stringify(source)})) 1)`)).toBe(words);
    expect(await failure(`(json/decode (string/repeat "[" 100000))`)).toContain("recursed too deeply");
  });

  it("reads again what was written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = encode(engine.vm, fromJs(value), "", "");
        expect(JSON.parse(toText(text))).toEqual(
          JSON.parse(JSON.stringify(toJs(decode(engine.vm, text, true, true)) ?? null)),
        );
      }),
    );
  });
});
