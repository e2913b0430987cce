import { describe, expect, it } from "vitest";
import { pretty } from "../print/pretty.ts";
import { toBytes, toText } from "../values/bytes.ts";
import type { Tuple } from "../values/sequences.ts";
import { Parser } from "./parser.ts";
import { ParseError, readAll, readForms } from "./read.ts";

function read(source: string): string {
  return readAll(toBytes(source))
    .map((value) => toText(pretty(value)))
    .join(" ");
}

function failure(source: string): [string, number, number] {
  try {
    readAll(toBytes(source));
  } catch (error) {
    if (error instanceof ParseError) return [error.message, error.line, error.column];
    throw error;
  }
  throw new Error(`${source} could be read`);
}

describe("numbers", () => {
  it.each([
    ["1e400 -1e400 1e-400", "inf -inf 0"],
    ["+5 -.5 5. 0.5e1 1_000.5_5", "5 -0.5 5 5 1000.55"],
    ["0xff.8 0x1p4 0x1.8p1 0x1p-1", "255.5 16 3 0.5"],
    ["16rFF 36rhello 2r-1 -2r1", null],
    ["36rhello -2r101 16rff&-1", "29234652 -5 15.9375"],
    [
      "0xff:s -0x10:s 2r101:u -9223372036854775808:s",
      "<core/s64 255> <core/s64 -16> <core/u64 5> <core/s64 -9223372036854775808>",
    ],
    // An exact half is rounded away from zero.
    [
      "9007199254740993 -9007199254740993 9007199254740995",
      "9.00719925474099e+15 -9.00719925474099e+15 9.007199254741e+15",
    ],
    [
      "1.7976931348623157e308 5e-324 2.2250738585072014e-308",
      "1.79769313486232e+308 4.94065645841247e-324 2.2250738585072e-308",
    ],
    [". .. - + -x .5x -5:u +5:x", ". .. - + -x .5x -5:u +5:x"],
  ])("%s", (source, shown) => {
    if (shown === null) expect(failure(source)[0]).toBe("symbol literal cannot start with a digit");
    else expect(read(source)).toBe(shown);
  });

  it("are read as JS reads them but for exact halves", () => {
    for (const text of [
      "0.1",
      "123456789.123456789",
      "1.7976931348623157e308",
      "2.5e-310",
      "4.35",
      "1e22",
      "9.5e-7",
    ])
      expect(readAll(text)).toEqual([Number(text)]);
  });

  it.each([
    "1e",
    "1e+",
    "1e1_0",
    "0b1",
    "1.2.3",
    "1/2",
    "0x",
    "0x_1",
    "5:",
    "5:x",
    "1.5:s",
    "9223372036854775808:s",
    "1e1.5",
    "2r2",
  ])("%s is none", (text) => {
    expect(failure(`${text} `)).toEqual(["symbol literal cannot start with a digit", 1, text.length + 1]);
  });
});

describe("strings", () => {
  it.each([
    ['"\\U01F600"', '"\\xF0\\x9F\\x98\\x80"'],
    ['"\\u00e9\\\'\\?"', '"\\xC3\\xA9\'?"'],
    ['"a\r\nb"', '"ab"'],
    ["`a`b", '"a" b'],
    ["``a`b``", '"a`b"'],
    ["`\n\nx\n\n`", '"\\nx\\n"'],
    [" `\n  a\n b`", '" a\\nb"'],
    ["  `x\n\ty`", '"x\\n\\ty"'],
    ['@`x` @""', '@"x" @""'],
    ["```a``", null],
  ])("%s", (source, shown) => {
    if (shown === null) expect(failure(source)[0]).toContain("unexpected end of source, ``` opened");
    else expect(read(source)).toBe(shown);
  });

  it.each([
    ['"\\U110000"', "invalid unicode codepoint", 9],
    ['"\\uD8"', "invalid hex digit in unicode escape", 6],
    ['"\\q"', "invalid string escape sequence", 3],
  ])("%s fails", (source, message, column) => {
    expect(failure(source)).toEqual([message, 1, column]);
  });
});

describe("forms", () => {
  it("say where they begin", () => {
    const places = [...readForms("a (b\n  [c '(d)])\r\n:e\r@[]")].map(({ line, column }) => [line, column]);
    expect(places).toEqual([
      [1, 1],
      [1, 3],
      [3, 1],
      [4, 2],
    ]);
    const [outer] = readAll("(b\n  [c '(d)])") as [Tuple];
    const inner = outer.items[1] as Tuple;
    const quoted = inner.items[1] as Tuple;
    expect(
      [outer, inner, quoted, quoted.items[1] as Tuple].map(({ line, column }) => [line, column]),
    ).toEqual([
      [1, 1],
      [2, 3],
      [2, 6],
      [2, 7],
    ]);
  });

  it.each([
    ["a|b,c;d~e", "a (short-fn b) (unquote c) (splice d) (quasiquote e)"],
    ["@'x @#c\n@", "@ (quote x) @ @"],
    ["{:a 1 :a 2} @{nil 1 :b nil}", "{:a 2} @{}"],
    [":é 'é :", ":é (quote é) :"],
    ["nil true false nil? -nil", "nil true false nil? -nil"],
    ["(a\0b\fc\vd)", "(a b c d)"],
  ])("%s", (source, shown) => {
    expect(read(source)).toBe(shown);
  });

  it.each([
    ["\x7f", "unexpected character", 1, 1],
    ["a\\", "unexpected character", 1, 2],
    ["(1\n[2)", "mismatched delimiter ), [ opened at line 2, column 1", 2, 3],
    ["'(", "unexpected end of source, ( opened at line 1, column 2", 1, 2],
    ["@", null, 0, 0],
    ["(@", "unexpected end of source, ( opened at line 1, column 1", 1, 2],
  ])("%s fails", (source, message, line, column) => {
    if (message === null) expect(read(source)).toBe("@");
    else expect(failure(source)).toEqual([message, line, column]);
  });

  it("refuse names that are no UTF-8", () => {
    expect(() => readAll("a\xff ")).toThrow("invalid utf-8 in symbol");
    expect(() => readAll(":\xc0\x80 ")).toThrow("invalid utf-8 in keyword");
  });
});

describe("a parser", () => {
  it("is stuck at an error until it is told, which forgets all that was read", () => {
    const parser = new Parser();
    expect(parser.consume("1 (2 ) ] 3")).toBe(8);
    expect(parser.status).toBe("error");
    expect(() => parser.consume("4")).toThrow("parser has unchecked error, cannot consume");
    parser.flush();
    expect(parser.error()).toBe("unexpected closing delimiter ]");
    expect(parser.error()).toBeNull();
    expect(parser.status).toBe("root");
    expect(parser.hasMore).toBe(false);
  });

  it("gives what it has read after the end of the source", () => {
    const parser = new Parser();
    parser.consume("1 (2) x");
    parser.eof();
    expect(parser.status).toBe("dead");
    expect(
      [parser.produce(), parser.produce(), parser.produce(), parser.produce()].map(
        (form) => form && pretty(form.value),
      ),
    ).toEqual(["1", "(2)", "x", undefined]);
    expect(() => parser.byte(32)).toThrow("parser is dead, cannot consume");
  });

  it("takes values in between", () => {
    const parser = new Parser();
    const asText = (value: unknown) => String(value);
    parser.insert(1, asText);
    parser.consume("(a");
    parser.insert(2, asText);
    parser.consume('"s');
    parser.insert(3, asText);
    parser.consume('" # c');
    parser.insert(4, asText);
    parser.consume("\n)'");
    expect(() => parser.insert(5, asText)).toThrow("cannot insert value into parser");
    expect(pretty(parser.produce()?.value ?? null)).toBe("1");
    expect(pretty(parser.produce()?.value ?? null)).toBe('(a 2 "s3" 4)');
  });
});
