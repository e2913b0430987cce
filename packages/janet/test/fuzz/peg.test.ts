import fc from "fast-check";
import { expect, it } from "vitest";
import { defaultGrammar } from "../../src/peg/default-grammar.ts";
import { Matcher } from "../../src/peg/matcher.ts";
import { compileWith } from "../../src/peg/peg.ts";
import { GrammarReader } from "../../src/peg/reading.ts";
import type { Rule } from "../../src/peg/rule.ts";
import { pretty } from "../../src/print/pretty.ts";
import { readAll } from "../../src/reader/read.ts";
import { JArray } from "../../src/values/sequences.ts";
import { Table } from "../../src/values/tables.ts";
import type { Value } from "../../src/values/value.ts";
import { JanetError } from "../../src/vm/janet-error.ts";
import { Vm } from "../../src/vm/vm.ts";
import { Reference, TooLong } from "./peg-reference.ts";

const word = (words: string) => fc.constantFrom(...words.split(" "));
const tag = word("_ _ _ :t :u").map((name) => (name === "_" ? "" : name));
const { pattern } = fc.letrec<{ pattern: string }>((tie) => {
  const p = tie("pattern");
  const join = (...parts: fc.Arbitrary<string>[]) =>
    fc.tuple(...parts).map((texts) => `(${texts.join(" ")})`);
  return {
    pattern: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 4, arbitrary: word('1 1 2 0 -1 "a" "b" "ab" "" :d :a :a+ :w* :r :s true false') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          ...'(set "ab")|(range "ac")|($)|(line)|(column)|(uint 1)|(int-be 2)|(-> :t)|(-> :u)|(backmatch :t)|(backmatch)'.split(
            "|",
          ),
        ),
      },
      join(word("constant argument"), word("0 1 2"), tag),
      { weight: 3, arbitrary: join(word("* * +"), p, p, p) },
      { weight: 2, arbitrary: join(word("+"), p, p) },
      join(word("if if-not lenprefix sub til split"), p, p),
      join(word("not to thru any some ? drop only-tags"), p),
      join(word("at-least at-most repeat look"), word("0 1 2"), p),
      join(fc.constant("look -1"), p),
      join(fc.constant("between"), word("0 1 2"), word("1 2 3"), p),
      { weight: 3, arbitrary: join(word("<- <- % group unref number"), p, tag) },
      join(fc.constant("nth"), word("0 1"), p, tag),
      join(fc.constant("/"), p, word(":x 5"), tag),
    ),
  };
});

const shown = (captures: readonly Value[]) => pretty(new JArray([...captures])).replace(/0x[0-9A-F]+/g, "0x");

/** What the machine makes of it. */
function machine(form: Value, input: string): string {
  const vm = new Vm(new Table(), { capabilities: {}, stdout() {}, stderr() {}, cwd: "/", args: [] });
  vm.stepsLeft = 100_000;
  const matcher = new Matcher(compileWith(form, defaultGrammar()), input, [], vm);
  matcher.begin(0);
  return matcher.run() === "matched" ? shown(matcher.captures.values) : "nil";
}

it("matches as the plainest matcher does", () => {
  let compared = 0;
  fc.assert(
    fc.property(
      pattern,
      pattern,
      fc.string({ unit: word("a b c 1 , \\n".replace("\\n", "\n")), maxLength: 8 }),
      (main, r, input) => {
        const form = readAll(`{:main ${main} :r ${r} :s (* "a" (? :s))}`)[0] as Value;
        let rule: Rule;
        try {
          rule = new GrammarReader(defaultGrammar()).read(form);
        } catch (error) {
          if (error instanceof JanetError) return;
          throw error;
        }
        let wanted: readonly Value[] | null;
        try {
          wanted = new Reference(input).match(rule);
        } catch (error) {
          if (error instanceof TooLong) return;
          throw error;
        }
        compared++;
        expect(machine(form, input)).toBe(wanted === null ? "nil" : shown(wanted));
      },
    ),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 1_500), ...(process.env.FUZZ_RUNS ? {} : { seed: 11 }) },
  );
  expect(compared).toBeGreaterThan(500);
});
