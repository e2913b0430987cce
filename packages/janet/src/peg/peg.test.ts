import { describe, expect, it } from "vitest";
import { createEngine } from "../engine.ts";
import { pretty } from "../print/pretty.ts";
import { readAll } from "../reader/read.ts";
import { JArray } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { Interrupted, JanetError } from "../vm/janet-error.ts";
import { Vm } from "../vm/vm.ts";
import { defaultGrammar } from "./default-grammar.ts";
import { Matcher } from "./matcher.ts";
import { compileWith } from "./peg.ts";

function newVm(): Vm {
  return new Vm(new Table(), { capabilities: {}, stdout() {}, stderr() {}, cwd: "/", args: [] });
}

function match(grammar: string, text: string, ...extra: Value[]): string {
  const form = readAll(grammar)[0] as Value;
  const matcher = new Matcher(compileWith(form, defaultGrammar()), text, extra, newVm());
  matcher.begin(0);
  return matcher.run() === "matched" ? pretty(new JArray(matcher.captures.values)) : "nil";
}

function failure(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof JanetError) return error.value;
    throw error;
  }
  throw new Error("no error");
}

describe("a pattern", () => {
  it.each([
    // What a branch captured before it failed is forgotten.
    ['(+ (* (<- "a") "x") (<- "ab"))', "ab", '@["ab"]'],
    ['(if-not (* (<- "a") "c") (<- 2))', "ab", '@["ab"]'],
    ['(if (<- "a") (<- 2))', "ab", '@["a" "ab"]'],
    ['(* (any (* (<- 1) ",")) (<- 1))', "a,b,c", '@["a" "b" "c"]'],
    // Repetition.
    ['(between 2 3 (<- "a"))', "aaaa", '@["a" "a" "a"]'],
    ['(between 2 3 (<- "a"))', "ab", "nil"],
    ['(* (at-most 2 "a") (<- -1))', "aaa", "nil"],
    ['(between 3 1 (<- "a"))', "aaa", "nil"],
    ["(* (between 0 0 1) ($))", "abc", "@[0]"],
    ["(any (any 1))", "abc", "@[]"],
    ['(* (any (* "a" (opt "b"))) ($))', "abaab", "@[5]"],
    // Looking elsewhere.
    ['(* 2 (> -1 (<- "b")) (<- 1))', "abc", '@["b" "c"]'],
    ['(> -1 "a")', "a", "nil"],
    ['(* (to (+ "," -1)) ($))', "abc", "@[3]"],
    ['(* (thru (<- ",")) ($))', "a,c", '@["," 2]'],
    ['(* (to (<- ",")) ($))', "a,c", "@[1]"],
    ['(to "x")', "abc", "nil"],
    ['(* (to (set "xy")) (<- 1))', "aby", '@["y"]'],
    // Narrowing down.
    ["(* (sub (<- 3) (* (<- 1) (thru -1))) ($))", "abcdef", '@["abc" "a" 3]'],
    ['(sub 2 "abc")', "abc", "nil"],
    ['(* (til (<- "--") (<- (to -1))) ($))', "ab--c", '@["ab" 4]'],
    ['(split "," (<- (any 1)))', "", '@[""]'],
    ['(split "," (<- (any 1)))', "a,", '@["a" ""]'],
    ['(split (<- ",") (<- (some 1)))', "a,b", '@["a" "b"]'],
    ['(split "," (<- :d))', "1,x", "nil"],
    ['(* (sub (to ";") (split "," (<- (any 1)))) ($))', "a,b;c", '@["a" "b" 3]'],
    ["(* (lenprefix (number :d) 1) ($))", "2abc", "@[3]"],
    ["(lenprefix (number :d) 1)", "3ab", "nil"],
    ["(* (lenprefix (number :d) 1) ($))", "0ab", "@[1]"],
    // Captures of captures.
    ["(% (* (<- 1) (% (<- 1)) (constant 5)))", "ab", '@["ab5"]'],
    ["(% (* (<- 1) (drop (<- 1)) (<- 1)))", "abc", '@["ac"]'],
    ['(% (any (+ (/ "a" "b") (<- 1))))', "cat", '@["cbt"]'],
    ["(group (group (<- 1) :x))", "a", '@[@[@["a"]]]'],
    ["(* (group (<- 1 :x)) (-> :x))", "a", '@[@["a"] "a"]'],
    ["(* (drop (<- 1 :x)) (-> :x))", "a", "nil"],
    ["(* (<- 1 :x) (unref (* (<- 1 :x) (<- 1 :y)) :x) (-> :x) (-> :y))", "abc", '@["a" "b" "c" "a" "c"]'],
    ["(* (<- 1 :x) (-> :x :y) (-> :y))", "a", '@["a" "a" "a"]'],
    ['(/ (<- 1) {"a" 1 "b" 2})', "b", "@[2]"],
    ['(/ (<- 1) {"a" 1 "b" 2})', "c", "@[nil]"],
    ['(/ "a" {"a" 1})', "a", "@[nil]"],
    ["(nth 2 (* (<- 1) (<- 1)))", "ab", "nil"],
    ["(argument 3)", "", "@[nil]"],
    // Numbers.
    ["(number (any 1))", "0x1F", "@[31]"],
    ["(number (any 1) 16)", "0x1F", "nil"],
    ["(number (any 1) 2)", "-101", "@[-5]"],
    ["(number (any 1))", "1e3", "@[1000]"],
    ["(number (any 1))", "7:s", "nil"],
    ["(* (uint 2) (int-be 1))", "\x01\x02\xff", "@[513 -1]"],
    ["(int 7)", "\xff\xff\xff\xff\xff\xff\xff", "@[<core/s64 -1>]"],
    ["(uint 4)", "abc", "nil"],
    ["(uint 0)", "", "@[0]"],
    // Grammars.
    ['{:main (* :a :b) :a "a" :b {:main (<- :c) :c "b"}}', "ab", '@["b"]'],
    ["{:main (+ -1 (* 1 :main))}", "a".repeat(5_000), "@[]"],
    ['{:main (* "(" (any :main) (<- ")"))}', "(()())", '@[")" ")" ")"]'],
    ["(* :s* (<- :w+) :s+ (<- :W) (<- :H))", "  ab -x", '@["ab" "-" "x"]'],
    ['{:d "x" :main (<- :d+)}', "xx1", '@["xx"]'],
    ['@"ab"', "abc", "@[]"],
    ["(+)", "", "nil"],
    ["(*)", "", "@[]"],
  ])("%s of %j", (grammar, text, captures) => {
    expect(match(grammar, text)).toBe(captures);
  });
});

it("gives its arguments", () => {
  expect(match("(* (argument 1) (argument 0))", "", "a", "b")).toBe('@["b" "a"]');
});

describe("a wrong grammar", () => {
  it.each([
    ["(range 5)", "grammar error in (range 5), expected string for character range"],
    ["(2)", "grammar error in (2), expected 2 arguments, got 1"],
    ["(-1 :d)", "grammar error in (-1 :d), expected non-negative integer, got -1"],
    ["(* (set))", "grammar error in (set), expected 1 argument, got 0"],
    ["(look 1 2 3)", "grammar error in (look 1 2 3), arity mismatch, expected at most 2, got 3"],
    ["(constant 1 :a :b)", "arity mismatch, expected at most 2, got 3"],
    ["(1.5 :d)", "grammar error in (1.5 :d), expected grammar command, found 1.5"],
    ["(line 5)", "grammar error in (line 5), expected keyword for capture tag, got 5"],
  ])("%s", (grammar, words) => {
    expect(failure(() => match(grammar, ""))).toBe(words);
  });

  it("has too many tags", () => {
    const tags = Array.from({ length: 256 }, (_, at) => `($ :t${at})`).join(" ");
    expect(failure(() => match(`(* ${tags})`, ""))).toMatch(
      /, too many tags - up to 255 tags are supported per peg$/,
    );
  });
});

it("ends what recurses too deeply", () => {
  expect(failure(() => match('{:main (+ (* "(" :main ")") 0)}', "(".repeat(3_000)))).toBe(
    "peg/match recursed too deeply",
  );
  expect(failure(() => match('{:main (* :main "a")}', "a"))).toBe("peg/match recursed too deeply");
});

it("pauses in a long match, and is interrupted", () => {
  const vm = newVm();
  const program = compileWith(readAll('{:main (+ "x" :main)}')[0] as Value, null);
  const matcher = new Matcher(program, "y", [], vm);
  matcher.begin(0);
  vm.sliceEnd = performance.now() + 1;
  expect(matcher.run()).toBe("pause");
  vm.sliceEnd = Number.POSITIVE_INFINITY;
  vm.stepsLeft = 10_000;
  expect(() => matcher.run()).toThrow(Interrupted);
});

it("costs a search only the steps that it makes, and lets others go on", async () => {
  const engine = createEngine();
  const search = '(length (peg/find-all "b" (string/repeat "a" 20000)))';
  expect(await engine.evaluate(search, { steps: 100_000 })).toBe(0);
  const endless = engine.evaluate('(peg/match {:main \'(+ "x" :main)} "y")', { millis: 200 });
  const begin = performance.now();
  expect(await engine.evaluate("(+ 1 2)")).toBe(3);
  expect(performance.now() - begin).toBeLessThan(150);
  await expect(endless).rejects.toThrow(Interrupted);
  engine.dispose();
});
