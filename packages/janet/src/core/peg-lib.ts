import { defaultGrammar } from "../peg/default-grammar.ts";
import { Matcher, type Outcome } from "../peg/matcher.ts";
import { addMethod, compileGrammar, isPeg, pegType, programOf } from "../peg/peg.ts";
import { textOf } from "../print/describe.ts";
import { Abstract } from "../values/abstract.ts";
import { type Call, Closure, Native } from "../values/functions.ts";
import { kw, sym } from "../values/names.ts";
import { JArray, JBuffer } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { callValue } from "../vm/call.ts";
import type { Signal } from "../vm/signal.ts";
import type { Vm } from "../vm/vm.ts";
import { bytesAt, positionAt } from "./arguments.ts";
import type { Registrar } from "./registrar.ts";

/** Matches at a position: whether it succeeds; or, when it must wait for that, what goes on with it. */
function matchAt(matcher: Matcher, position: number): boolean | Matching {
  matcher.begin(position);
  const outcome = matcher.run();
  return outcome === "matched" || (outcome === "failed" ? false : goOn(matcher, outcome));
}

type Matching = Generator<Signal, boolean, Value>;

function* goOn(matcher: Matcher, first: Outcome): Matching {
  for (let outcome = first; ; outcome = matcher.run()) {
    if (outcome === "matched") return true;
    if (outcome === "failed") return false;
    if (outcome === "pause") yield { kind: "pause" };
    else if (!matcher.answer(yield* callFunction(matcher.vm, matcher.callee, matcher.callArguments)))
      return false;
  }
}

function* settled(matching: boolean | Matching): Matching {
  return typeof matching === "boolean" ? matching : yield* matching;
}

function* callFunction(vm: Vm, callee: Value, args: Value[]): Call {
  if (callee instanceof Native && callee.run && args.length >= callee.min && args.length <= callee.max)
    return callee.run(args, vm);
  return yield* callValue(vm, callee, args);
}

/** The matcher of a call `(peg/x peg … text ?start & arguments)`, whose text stands at `at`. */
function matcherOf(args: Value[], at: number, vm: Vm): { matcher: Matcher; start: number } {
  const program = programOf(args[0] as Value, vm);
  const text = bytesAt(args, at);
  const start = args.length > at + 1 ? positionAt(args, at + 1, text.length, "offset") : 0;
  return { matcher: new Matcher(program, text, args.slice(at + 2), vm), start };
}

function* match(args: Value[], vm: Vm): Call {
  const { matcher, start } = matcherOf(args, 1, vm);
  return (yield* settled(matchAt(matcher, start))) ? new JArray(matcher.captures.values.slice()) : null;
}

function* find(args: Value[], vm: Vm): Call {
  const { matcher, start } = matcherOf(args, 1, vm);
  for (let at = start; at < matcher.text.length; at++) {
    const matched = matchAt(matcher, at);
    if (matched === true || (matched !== false && (yield* matched))) return at;
  }
  return null;
}

function* findAll(args: Value[], vm: Vm): Call {
  const { matcher, start } = matcherOf(args, 1, vm);
  const found: Value[] = [];
  for (let at = start; at < matcher.text.length; at++) {
    const matched = matchAt(matcher, at);
    if (matched === true || (matched !== false && (yield* matched))) found.push(at);
  }
  return new JArray(found);
}

/** `peg/replace` and, with any number of replacements, `peg/replace-all`. */
function* replace(args: Value[], vm: Vm, all: boolean): Call {
  const { matcher, start } = matcherOf(args, 2, vm);
  const by = args[1] as Value;
  const { text } = matcher;
  const result = new JBuffer(text.length);
  let copied = 0;
  let at = start;
  while (at < text.length) {
    const matched = matchAt(matcher, at);
    if (matched === false || (matched !== true && !(yield* matched))) {
      at++;
      continue;
    }
    const behind = matcher.position;
    result.pushString(text.slice(copied, at));
    const called =
      by instanceof Closure || by instanceof Native
        ? yield* callFunction(vm, by, [text.slice(at, behind), ...matcher.captures.values])
        : by;
    result.pushString(textOf(called));
    copied = behind;
    at = behind === at ? at + 1 : behind;
    if (!all) break;
  }
  result.pushString(text.slice(copied));
  return result;
}

/** `peg/*`, and the grammar of `:d`, `:s+` and so on. */
export function install(core: Registrar): void {
  const any = Number.POSITIVE_INFINITY;
  core.cfun(
    "peg/compile",
    1,
    1,
    "(peg/compile peg)",
    "Makes a pattern ready to match often; gives back one that is.",
    ([grammar = null], vm) => (isPeg(grammar) ? grammar : new Abstract(pegType, compileGrammar(grammar, vm))),
  );
  core.cgen(
    "peg/match",
    2,
    any,
    "(peg/match peg text &opt start & args)",
    "Matches a pattern at one place of a text: an array of its captures, or nil when it does not match.",
    match,
  );
  core.cgen(
    "peg/find",
    2,
    any,
    "(peg/find peg text &opt start & args)",
    "The first index at which a pattern matches, or nil.",
    find,
  );
  core.cgen(
    "peg/find-all",
    2,
    any,
    "(peg/find-all peg text &opt start & args)",
    "An array of all indices at which a pattern matches.",
    findAll,
  );
  core.cgen(
    "peg/replace",
    3,
    any,
    "(peg/replace peg subst text &opt start & args)",
    "A buffer of the text with the first match replaced by a value, or by what a function makes of the match and its captures.",
    (args, vm) => replace(args, vm, false),
  );
  core.cgen(
    "peg/replace-all",
    3,
    any,
    "(peg/replace-all peg subst text &opt start & args)",
    "A buffer of the text with all matches replaced by a value, or by what a function makes of each match and its captures.",
    (args, vm) => replace(args, vm, true),
  );
  for (const name of ["match", "find", "find-all", "replace", "replace-all"]) {
    const binding = core.env.get(sym(`peg/${name}`));
    const native = binding instanceof Table ? binding.get(kw("value")) : null;
    if (native instanceof Native) addMethod(name, native);
  }
  const grammar = defaultGrammar();
  core.value(
    "default-peg-grammar",
    grammar,
    "The rules that a grammar may use without defining them, unless :peg-grammar is bound to others.",
  );
  core.env.put(kw("peg-grammar"), grammar);
}
