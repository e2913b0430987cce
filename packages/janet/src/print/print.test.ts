import { describe, expect, it } from "vitest";
import { makeS64, makeU64 } from "../core/math/int64.ts";
import { readAll } from "../reader/read.ts";
import { kw, sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Table, tableOf } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { show, textOf } from "./describe.ts";
import { formatArgs } from "./format.ts";
import { pretty } from "./pretty.ts";

function format(text: string, ...values: Value[]): string {
  return formatArgs(text, ["", ...values], 1);
}

function value(source: string): Value {
  return readAll(source)[0] as Value;
}

describe("numbers of a format", () => {
  it.each<[string, Value, string]>([
    // An exact half goes to the even digit.
    ["%.0f", 0.5, "0"],
    ["%.0f", 1.5, "2"],
    ["%.0f", 2.5, "2"],
    ["%.2f", 1.005, "1.00"],
    ["%.1f", 0.25, "0.2"],
    ["%.3f", -2.54159, "-2.542"],
    ["%10.3f|", 2.54159, "     2.542|"],
    ["%-10.3f|", 2.54159, "2.542     |"],
    ["%010.3f|", -2.54159, "-00002.542|"],
    ["%+.1e", 12345.678, "+1.2e+04"],
    ["%E", 0.00012, "1.200000E-04"],
    ["%e", 0, "0.000000e+00"],
    ["%.0e", 15, "2e+01"],
    ["%#.0f", 3, "3."],
    ["%g", 100000, "100000"],
    ["%g", 1e6, "1e+06"],
    ["%g", 0.0001, "0.0001"],
    ["%g", 0.00001, "1e-05"],
    ["%G", 1e-10, "1E-10"],
    ["%.3g", 1234.5, "1.23e+03"],
    ["%.10g", 1 / 3, "0.3333333333"],
    ["%#g", 1, "1.00000"],
    ["%f", 1e22, "10000000000000000000000.000000"],
    ["%.20f", 0.1, "0.10000000000000000555"],
    ["%a", 1, "0x1p+0"],
    ["%a", 0.1, "0x1.999999999999ap-4"],
    ["%.2a", 1.999, "0x2.00p+0"],
    ["%A", 255.5, "0X1.FFP+7"],
    ["%8f", Number.NEGATIVE_INFINITY, "    -inf"],
    ["%08f", Number.POSITIVE_INFINITY, "     inf"],
    ["%F", 1, "!invalid conversion '%F' to 'format'"],
    ["%d", makeS64(-5n), "-5"],
    ["%d", makeU64(18446744073709551615n), "-1"],
    ["%u", makeU64(18446744073709551615n), "18446744073709551615"],
    ["%x", makeS64(-1n), "ffffffffffffffff"],
    ["%.5d", 42, "00042"],
    ["%8.5d|", -42, "  -00042|"],
    ["%+d", 0, "+0"],
    ["%#X", 255, "0XFF"],
    ["%#x", 0, "0"],
    ["%#010x", 255, "0x000000ff"],
    ["%x", -1, "!can not convert number -1 to a 64 bit unsigned integer"],
    ["%d", "0x10", "16"],
    ["%d", true, "!can not convert boolean true to 64 bit signed integer"],
    ["%f", makeS64(1n), "!bad slot #1, expected number, got <core/s64 1>"],
    ["%c", 65, "A"],
    ["%3c|", 65, "  A|"],
    ["%c", 321, "A"],
    ["%c", 6.5, "!bad slot #1, expected 32 bit signed integer, got 6.5"],
  ])("%s of %o", (spec, given, shown) => {
    if (shown.startsWith("!")) expect(() => format(spec, given)).toThrow(shown.slice(1));
    else expect(format(spec, given)).toBe(shown);
  });
});

describe("texts of a format", () => {
  it.each<[string, Value, string]>([
    ["%5s|", "abc", "  abc|"],
    ["%-5s|", "abc", "abc  |"],
    ["%.2s", "abc", "ab"],
    ["%s", JBuffer.of("buf"), "buf"],
    ["%V", null, ""],
    ["%V", new Tuple([]), "<tuple 0x"],
    ["%v", null, "nil"],
    ["%t", kw("a"), "keyword"],
    ["%t", new JArray(), "array"],
    ["%%%s%%", "x", "%x%"],
    ["%", 1, "!invalid conversion '%' to 'format'"],
    ["%-5y", 1, "!invalid conversion '%-5y' to 'format'"],
    ["%.123f", 1, "!invalid format (width or precision too long)"],
    ["%j", 0.1, "0.10000000000000001"],
    ["%j", sym(":a"), "!could not print to jdn format"],
    ["%j", sym(""), "!could not print to jdn format"],
    ["%j", kw(""), ":"],
    ["%n", value("[1 {:a 2}]"), "[1 {:a 2}]"],
    ["%.1q", value("(1 (2))"), "(...)"],
    ["%.2q", value("(1 (2) {:a 1} @[3])"), "(1 (...) {...} @[...])"],
    ["%N", value('@{:a @"b"}'), '@{\x1b[33m:a\x1b[0m \x1b[35m@"b"\x1b[0m}'],
  ])("%s of %o", (spec, given, shown) => {
    if (shown.startsWith("!")) expect(() => format(spec, given)).toThrow(shown.slice(1));
    else expect(format(spec, given).slice(0, shown.length)).toBe(shown);
  });

  it("say when values are missing before they look at the conversion", () => {
    expect(() => format("%z")).toThrow("not enough values for format");
    expect(format("no values", 1, 2)).toBe("no values");
  });
});

describe("values", () => {
  it("print numbers with at most 15 digits", () => {
    const numbers = [1e15, 1e16, 123456789012345.6, -1 / 3, 1e100, -0, 0.1 + 0.2, 1234567890123.125];
    expect(numbers.map(show).join(" ")).toBe(
      "1000000000000000 1e+16 123456789012346 -0.333333333333333 1e+100 0 0.3 1234567890123.12",
    );
  });

  it("print as text without quotes and colons, nil as nothing", () => {
    expect(
      [kw("k"), sym("s"), "t", null, JBuffer.of("b"), makeS64(-3n), 1.5, true].map(textOf).join(","),
    ).toBe("k,s,t,,b,-3,1.5,true");
  });

  it("print addresses that differ and stay", () => {
    const [one, other] = [new JArray(), new JArray()];
    expect(show(one)).toMatch(/^<array 0x[0-9A-F]{12}>$/);
    expect(show(one)).toBe(show(one));
    expect(show(one)).not.toBe(show(other));
  });

  it("print the name of their class", () => {
    const thing = tableOf([[kw("x"), 1]]);
    thing.proto = tableOf([[kw("_name"), "Thing"]]);
    expect(pretty(thing)).toBe("@Thing{:x 1}");
    thing.proto = new Table();
    expect(pretty(thing)).toBe("@{:x 1}");
  });

  it("count the collections around a cycle", () => {
    const inner = new JArray([1]);
    const outer = tableOf([[kw("in"), new Tuple([inner])]]);
    inner.items.push(outer, inner);
    expect(pretty(outer)).toBe("@{:in (@[1 <cycle 0> <cycle 2>])}");
  });

  it("shorten long ones unless they are asked for in full", () => {
    const long = new JArray(Array.from({ length: 161 }, (_, at) => at));
    expect(pretty(long)).toBe("@[0 1 2 ... 158 159 160]");
    expect(pretty(long, { full: true }).length).toBeGreaterThan(500);
    expect(pretty(new JArray(long.items.slice(1)))).not.toContain("...");
    const wide = tableOf(long.items.slice(0, 31).map((key) => [key, true]));
    expect(pretty(wide)).toMatch(/ 29 true \.\.\.}$/);
  });

  it("are refused when shared parts would print for ever", () => {
    let shared: Value = new JArray();
    for (let level = 0; level < 60; level++) shared = new Tuple([shared, shared]);
    expect(() => pretty(shared)).toThrow("value is too large to print");
    expect(() => format("%j", shared)).toThrow("value is too large to print");
  });

  it("break into lines when their last part is a collection or they do not fit", () => {
    const broken = (source: string, width = 80) => pretty(value(source), { width });
    expect(broken("(a (b) c)")).toBe("(a (b) c)");
    expect(broken("(a (b))")).toBe("(a\n (b))");
    expect(broken("@[aaaa bbbb]", 8)).toBe("@[aaaa\n  bbbb]");
    expect(broken("{:a 1 :b (f (x))}")).toBe("{:a 1\n :b (f\n     (x))}");
    expect(broken('(a "(b)\\n")')).toBe('(a "(b)\\n")');
  });
});
