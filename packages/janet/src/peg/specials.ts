import { show } from "../print/describe.ts";
import { Closure, Native } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import type { GrammarReader } from "./reading.ts";
import { type Rule, setOf, setOfRanges, type Wrapping } from "./rule.ts";

/** Reads the arguments of one kind of pattern. */
type Special = (reader: GrammarReader, args: readonly Value[]) => Rule;

const item = (args: readonly Value[], at: number): Value => args[at] ?? null;
const optionalTag = (reader: GrammarReader, args: readonly Value[], at: number): number =>
  args.length > at ? reader.tag(item(args, at)) : 0;

const range: Special = (reader, args) => {
  reader.between(args, 1, Number.POSITIVE_INFINITY);
  const ranges = args.map((arg) => {
    if (typeof arg !== "string") return reader.fail("expected string for character range");
    if (arg.length !== 2) return reader.fail(`expected string to have length 2, got ${show(arg)}`);
    if (arg.charCodeAt(1) < arg.charCodeAt(0)) return reader.fail(`range ${show(arg)} is empty`);
    return arg;
  });
  return { kind: "set", set: setOfRanges(ranges) };
};

const set: Special = (reader, args) => {
  reader.exactly(args, 1);
  const bytes = item(args, 0);
  return typeof bytes === "string"
    ? { kind: "set", set: setOf(bytes) }
    : reader.fail("expected string for character set");
};

const look: Special = (reader, args) => {
  reader.between(args, 1, 2);
  const offset = args.length === 2 ? reader.integer(item(args, 0)) : 0;
  return { kind: "look", offset, rule: reader.read(args.at(-1) ?? null) };
};

function list(kind: "sequence" | "choice"): Special {
  return (reader, args) => ({ kind, rules: args.map((arg) => reader.read(arg)) });
}

function pair(kind: "if" | "if-not" | "lenprefix" | "sub" | "til" | "split"): Special {
  return (reader, args) => {
    reader.exactly(args, 2);
    const first = reader.read(item(args, 0));
    return { kind, first, second: reader.read(item(args, 1)) };
  };
}

function single(kind: "not" | "to" | "thru"): Special {
  return (reader, args) => {
    reader.exactly(args, 1);
    return { kind, rule: reader.read(item(args, 0)) };
  };
}

/** Repetition whose bounds are the arguments before the pattern. */
function repeat(count: number, bounds: (numbers: number[]) => [lo: number, hi: number]): Special {
  return (reader, args) => {
    reader.exactly(args, count + 1);
    const [lo, hi] = bounds(args.slice(0, count).map((arg) => reader.natural(arg)));
    return { kind: "repeat", lo, hi, rule: reader.read(item(args, count)) };
  };
}

function wrap(how: Wrapping, rule: Rule, tag: number, number = 0, value: Value = null): Rule {
  return { kind: "wrap", how, rule, tag, number, value };
}

/** `(name pattern ?tag)`. */
function tagged(how: Wrapping): Special {
  return (reader, args) => {
    reader.between(args, 1, 2);
    const tag = optionalTag(reader, args, 1);
    return wrap(how, reader.read(item(args, 0)), tag);
  };
}

/** `(name pattern)`. */
function untagged(how: Wrapping): Special {
  return (reader, args) => {
    reader.exactly(args, 1);
    return wrap(how, reader.read(item(args, 0)), 0);
  };
}

const error: Special = (reader, args) => {
  if (args.length === 0) return wrap("error", { kind: "yes" }, 0);
  return untagged("error")(reader, args);
};

const number: Special = (reader, args) => {
  reader.between(args, 1, 3);
  const base = item(args, 1);
  if (base !== null && !(Number.isInteger(base) && Number(base) >= 2 && Number(base) <= 36))
    reader.fail(`expected integer between 2 and 36, got ${show(base)}`);
  const tag = optionalTag(reader, args, 2);
  return wrap("number", reader.read(item(args, 0)), tag, base === null ? 0 : Number(base));
};

const replace: Special = (reader, args) => {
  reader.between(args, 2, 3);
  const rule = reader.read(item(args, 0));
  return wrap("replace", rule, optionalTag(reader, args, 2), 0, item(args, 1));
};

function matchTime(how: "cmt" | "cms"): Special {
  return (reader, args) => {
    reader.between(args, 2, 3);
    const rule = reader.read(item(args, 0));
    const callee = item(args, 1);
    if (!(callee instanceof Closure || callee instanceof Native))
      reader.fail(`expected function or cfunction, got ${show(callee)}`);
    return wrap(how, rule, optionalTag(reader, args, 2), 0, callee);
  };
}

const nth: Special = (reader, args) => {
  reader.between(args, 2, 3);
  const index = reader.natural(item(args, 0));
  const tag = optionalTag(reader, args, 2);
  return wrap("nth", reader.read(item(args, 1)), tag, index);
};

function place(kind: "position" | "line" | "column"): Special {
  return (reader, args) => {
    reader.between(args, 0, 1);
    return { kind, tag: optionalTag(reader, args, 0) };
  };
}

const constant: Special = (reader, args) => {
  // Its arity alone is no grammar error in Janet.
  if (args.length < 1) panic(`arity mismatch, expected at least 1, got ${args.length}`);
  if (args.length > 2) panic(`arity mismatch, expected at most 2, got ${args.length}`);
  return { kind: "constant", value: item(args, 0), tag: optionalTag(reader, args, 1) };
};

const argument: Special = (reader, args) => {
  reader.between(args, 1, 2);
  const tag = optionalTag(reader, args, 1);
  return { kind: "argument", index: reader.natural(item(args, 0)), tag };
};

const backref: Special = (reader, args) => {
  reader.between(args, 1, 2);
  const wanted = reader.tag(item(args, 0));
  return { kind: "backref", wanted, tag: optionalTag(reader, args, 1) };
};

const backmatch: Special = (reader, args) => {
  reader.between(args, 0, 1);
  return { kind: "backmatch", wanted: optionalTag(reader, args, 0) };
};

function integer(signed: boolean, bigEndian: boolean): Special {
  return (reader, args) => {
    reader.between(args, 1, 2);
    const tag = optionalTag(reader, args, 1);
    const width = reader.natural(item(args, 0));
    if (width > 8) reader.fail(`width must be between 0 and 8, got ${width}`);
    return { kind: "integer", width, signed, bigEndian, tag };
  };
}

const debug: Special = (reader, args) => {
  reader.exactly(args, 0);
  return { kind: "debug" };
};

const infinity = Number.POSITIVE_INFINITY;
const any = repeat(0, () => [0, infinity]);
const optional = repeat(0, () => [0, 1]);
const exact = repeat(1, ([count]) => [count as number, count as number]);

/** All kinds of patterns by the words that begin them. */
export const specials: ReadonlyMap<string, Special> = new Map<string, Special>([
  ["range", range],
  ["set", set],
  ["look", look],
  [">", look],
  ["sequence", list("sequence")],
  ["*", list("sequence")],
  ["choice", list("choice")],
  ["+", list("choice")],
  ["if", pair("if")],
  ["if-not", pair("if-not")],
  ["lenprefix", pair("lenprefix")],
  ["sub", pair("sub")],
  ["til", pair("til")],
  ["split", pair("split")],
  ["not", single("not")],
  ["!", single("not")],
  ["to", single("to")],
  ["thru", single("thru")],
  ["any", any],
  ["some", repeat(0, () => [1, infinity])],
  ["opt", optional],
  ["?", optional],
  ["between", repeat(2, ([lo, hi]) => [lo as number, hi as number])],
  ["at-least", repeat(1, ([lo]) => [lo as number, infinity])],
  ["at-most", repeat(1, ([hi]) => [0, hi as number])],
  ["repeat", exact],
  ["capture", tagged("capture")],
  ["quote", tagged("capture")],
  ["<-", tagged("capture")],
  ["group", tagged("group")],
  ["accumulate", tagged("accumulate")],
  ["%", tagged("accumulate")],
  ["unref", tagged("unref")],
  ["drop", untagged("drop")],
  ["only-tags", untagged("only-tags")],
  ["error", error],
  ["number", number],
  ["replace", replace],
  ["/", replace],
  ["cmt", matchTime("cmt")],
  ["cms", matchTime("cms")],
  ["nth", nth],
  ["position", place("position")],
  ["$", place("position")],
  ["line", place("line")],
  ["column", place("column")],
  ["constant", constant],
  ["argument", argument],
  ["backref", backref],
  ["->", backref],
  ["backmatch", backmatch],
  ["int", integer(true, false)],
  ["int-be", integer(true, true)],
  ["uint", integer(false, false)],
  ["uint-be", integer(false, true)],
  ["debug", debug],
]);
