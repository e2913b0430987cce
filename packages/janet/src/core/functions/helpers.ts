import { show } from "../../print/describe.ts";
import { kw } from "../../values/names.ts";
import { getValue, inValue, putValue } from "../../values/operators.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import { Table } from "../../values/tables.ts";
import { truthy, type Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { signals } from "../../vm/signal.ts";
import { callPlain, coreValues, idempotent } from "../macros/forms.ts";
import type { Registrar } from "../registrar.ts";
import { valuesOf } from "../seq/cursor.ts";

const any = Number.POSITIVE_INFINITY;

/** Small functions for programs and for writing macros. */
export function installHelpers(core: Registrar): void {
  const value = coreValues(core);
  core.gen(
    "return",
    1,
    2,
    "(return to &opt value)",
    "Ends the prompt or label with the tag `to`; its value is the given one.",
    function* ([to = null, result = null], vm) {
      return yield { kind: "raise", signal: signals.user0, value: new Tuple([to, result]), from: vm.fiber };
    },
  );
  core.fun(
    "has-key?",
    2,
    2,
    "(has-key? ds key)",
    "Whether there is a value at a key.",
    ([ds = null, key = null]) => getValue(ds, key) !== null,
  );
  core.fun(
    "module/value",
    2,
    3,
    "(module/value module sym &opt private)",
    "What a module binds a symbol to. Private bindings are found only when asked for.",
    ([module = null, name = null, secret = null]) => {
      const entry = getValue(module, name);
      const isHidden = entry === null || (getValue(entry, kw("private")) !== null && !truthy(secret));
      if (isHidden) panic(`no binding ${show(name)} in the module`);
      const cell = getValue(entry, kw("ref"));
      return cell instanceof JArray ? (cell.items[0] ?? null) : getValue(entry, kw("value"));
    },
  );
  core.fun(
    "idempotent?",
    1,
    1,
    "(idempotent? x)",
    "Whether a form gives the same, without effects, however often it is evaluated.",
    ([form = null]) => idempotent(form),
  );
  core.gen(
    "from-pairs",
    1,
    1,
    "(from-pairs ps)",
    "A table of pairs, each an array or tuple of a key and its value.",
    function* ([pairs = null], vm) {
      const table = new Table();
      for (const pair of yield* valuesOf(vm, pairs)) putValue(table, inValue(pair, 0), inValue(pair, 1));
      return table;
    },
  );
  core.fun(
    "keep-syntax",
    2,
    2,
    "(keep-syntax before after)",
    "Gives a tuple the brackets and the source position of another one; anything else stays as it is.",
    ([before = null, after = null]) => (after instanceof Tuple ? likeBefore(before, after) : after),
  );
  core.fun(
    "keep-syntax!",
    2,
    2,
    "(keep-syntax! before after)",
    "As keep-syntax, and makes a tuple of an array.",
    ([before = null, after = null]) =>
      after instanceof Tuple || after instanceof JArray ? likeBefore(before, after) : after,
  );
  core.fun(
    "maclintf",
    2,
    any,
    "(maclintf level fmt & args)",
    "For macros: reports a formatted lint message of a level such as :relaxed, :normal or :strict.",
    ([level = null, ...format], vm) => {
      const lints = vm.dyn("macro-lints");
      if (lints === null) return null;
      const at = vm.dyn("macro-form");
      const [line, column] = at instanceof Tuple ? [at.line, at.column] : [-1, -1];
      const words = callPlain(vm, value, "string/format", ...format);
      if (lints instanceof JArray) lints.items.push(new Tuple([level, line, column, words]));
      return null;
    },
  );
}

function likeBefore(before: Value, after: Tuple | JArray): Value {
  if (!(before instanceof Tuple)) return after;
  const tuple = new Tuple(after.items.slice(), before.bracketed);
  tuple.line = before.line;
  tuple.column = before.column;
  return tuple;
}
