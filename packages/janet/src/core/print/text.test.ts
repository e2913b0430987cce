import { describe, expect, it } from "vitest";
import { Abstract } from "../../values/abstract.ts";
import type { Native } from "../../values/functions.ts";
import { kw, sym } from "../../values/names.ts";
import { type JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { type Table, tableOf } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { Vm } from "../../vm/vm.ts";
import { install as installParser } from "../parser/parser-lib.ts";
import { Registrar } from "../registrar.ts";
import { install as installDoc } from "./doc.ts";
import { docLayout } from "./doc-layout.ts";
import { install as installPrint } from "./print.ts";
import { install as installText } from "./text.ts";

const core = new Registrar();
for (const install of [installPrint, installText, installDoc, installParser]) install(core);

/** Calls a core function with these dynamic bindings; gives its value and what went to the host. */
function call(name: string, args: Value[], dyns: Record<string, Value> = {}) {
  let out = "";
  let err = "";
  const vm = new Vm(core.env, {
    capabilities: {},
    stdout: (bytes) => {
      out += bytes;
    },
    stderr: (bytes) => {
      err += bytes;
    },
    cwd: "/",
    args: [],
  });
  vm.dyn = (key) => dyns[typeof key === "string" ? key : key.name] ?? null;
  const native = (core.env.get(sym(name)) as Table).get(kw("value")) as Native;
  const value = native.run ? native.run(args, vm) : native.gen?.(args, vm).next().value;
  return { value, out, err };
}

describe("print and its kin", () => {
  it("write to the host when nothing is bound", () => {
    expect(call("print", [1, "a", null, kw("b")]).out).toBe("1ab\n");
    expect(call("prinf", ["%d-%s", 1, "x"]).out).toBe("1-x");
    expect(call("eprint", ["no"]).err).toBe("no\n");
    expect(call("pp", [new Tuple(["s"])]).out).toBe('("s")\n');
  });

  it("write to buffers and to abstract values that take text", () => {
    const buffer = new JBuffer();
    call("print", ["x"], { out: buffer });
    call("xprin", [buffer, 1, 2]);
    call("pp", [1.5], { out: buffer, "pretty-format": "<%v>" });
    expect(buffer.text()).toBe("x\n12<1.5>\n");
    const written: string[] = [];
    const file = new Abstract(
      { name: "a file", write: (data: string[], bytes) => void data.push(bytes) },
      written,
    );
    call("xprintf", [file, "%s", "y"]);
    expect(written).toEqual(["y\n"]);
  });

  it("refuse other targets before they look at values", () => {
    expect(() => call("xprintf", [5, "%d", "a"])).toThrow("cannot print to 5");
    expect(() => call("xprintf", [5, 6])).toThrow("bad slot #1, expected string, got 6");
    expect(() => call("xprint", [null, 1])).toThrow("cannot print to nil");
    expect(() => call("print", [1], { out: kw("x") })).toThrow("cannot print to :x");
    expect(() => call("printf", ["a\0b"])).toThrow("string contains embedded 0s");
  });
});

describe("names and text of values", () => {
  it("are made of all arguments", () => {
    expect(call("string", []).value).toBe("");
    expect(call("string", ["a", kw("b"), null, 1]).value).toBe("ab1");
    expect(call("symbol", ["a", 1]).value).toBe(sym("a1"));
    expect(call("keyword", [sym("a"), "b"]).value).toBe(kw("ab"));
    expect(call("describe", ["a", null, kw("b")]).value).toBe('"a"nil:b');
  });
});

describe("the parser's functions", () => {
  const parser = (source: string) => {
    const { value } = call("parser/new", []);
    call("parser/consume", [value as Value, source]);
    return value as Value;
  };

  it("describe what is open", () => {
    const at = parser("@[1 {:a @`x");
    expect(call("parser/state", [at, kw("delimiters")]).value).toBe("[{`");
    const frames = (call("parser/state", [at, kw("frames")]).value as JArray).items as Table[];
    expect(frames.map((frame) => frame.get(kw("type")))).toEqual(
      ["root", "array", "struct", "buffer"].map(kw),
    );
    expect(frames.at(-1)).toEqual(
      tableOf([
        [kw("type"), kw("buffer")],
        [kw("buffer"), "x"],
        [kw("line"), 1],
        [kw("column"), 10],
      ]),
    );
  });

  it("give values with their places", () => {
    const at = parser("\n  5 ");
    const wrapped = call("parser/produce", [at, true]).value as Tuple;
    expect([wrapped.items, wrapped.line, wrapped.column]).toEqual([[5], 2, 3]);
    expect(call("parser/produce", [at, true]).value).toBeNull();
    expect(call("parser/where", [at, 9, 7]).value).toEqual(new Tuple([9, 7]));
    expect(call("parser/consume", [at, "abc", 1]).value).toBe(2);
  });

  it("count what they read as work", () => {
    const vm = new Vm(core.env, { capabilities: {}, stdout() {}, stderr() {}, cwd: "/", args: [] });
    let spent = 0;
    vm.spend = (steps) => {
      spent += steps;
    };
    const parse = (core.env.get(sym("parse-all")) as Table).get(kw("value")) as Native;
    parse.run?.(["1 ".repeat(5_000)], vm);
    expect(spent).toBe(10_000);
  });

  it("read strings at once", () => {
    expect(call("parse", ["1 )"]).value).toBe(1);
    expect(() => call("parse", [" # c"])).toThrow("no value");
    expect(() => call("parse-all", ["1 )"])).toThrow("unexpected closing delimiter )");
    expect(call("scan-number", ["ff", 16]).value).toBe(255);
    expect(call("scan-number", ["1x"]).value).toBeNull();
    expect(() => call("scan-number", ["1", 1])).toThrow("expected base between 2 and 36, got 1");
  });
});

describe("documentation", () => {
  it("is laid out to the width, and code stays as it is", () => {
    expect(docLayout("(f x)\n\nSome words that\ngo on.\n\n  code  here\n- item", 30, 2)).toBe(
      "  (f x)\n\n  Some words that go on.\n\n    code  here\n  - item",
    );
    expect(docLayout("aaaa ".repeat(10), 28, 4)).toBe(
      "    aaaa aaaa aaaa aaaa\n    aaaa aaaa aaaa aaaa\n    aaaa aaaa",
    );
  });

  it("names what a binding is", () => {
    expect(call("doc*", [sym("xprin")]).out).toBe(
      "\n\n    cfunction\n\n    (xprin to & xs)\n\n    Prints values to a buffer, file or function, without a newline.\n\n\n",
    );
    expect(call("doc*", [sym("if")]).out).toContain("special form");
    expect(call("doc*", [sym("nope")]).out).toBe("symbol nope not found.\n");
    expect(call("doc*", ["parser/st"]).out).toContain("parser/state parser/status");
  });
});
