import { JArray, Tuple } from "../../values/sequences.ts";
import { Struct, structOf, Table, tableOf } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import type { Registrar } from "../registrar.ts";
import { body, def, fresh, list, S } from "./forms.ts";

const any = Number.POSITIVE_INFINITY;

/** The macros that pass a value from form to form. */
export function installThreading(core: Registrar): void {
  core.macro(
    "->",
    1,
    any,
    "(-> x & forms)",
    "Puts x as first argument into the first form, that form as first argument into the next, and so on.",
    ([first = null, ...forms]) => forms.reduce(asFirst, first),
  );
  core.macro(
    "->>",
    1,
    any,
    "(->> x & forms)",
    "Puts x as last argument into the first form, that form as last argument into the next, and so on.",
    ([first = null, ...forms]) => forms.reduce(asLast, first),
  );
  core.macro(
    "-?>",
    1,
    any,
    "(-?> x & forms)",
    "As ->, but stops at the first falsey value and gives it.",
    ([first = null, ...forms]) => forms.reduce((last, form) => whenTruthy(last, form, asFirst), first),
  );
  core.macro(
    "-?>>",
    1,
    any,
    "(-?>> x & forms)",
    "As ->>, but stops at the first falsey value and gives it.",
    ([first = null, ...forms]) => forms.reduce((last, form) => whenTruthy(last, form, asLast), first),
  );
  core.macro(
    "as->",
    2,
    any,
    "(as-> x as & forms)",
    "Passes x from form to form; each form names it by the symbol `as`.",
    ([first = null, name = null, ...forms]) =>
      forms.reduce((last, form) => {
        const held = fresh();
        return body(def(held, last), replace(form, name, held));
      }, first),
  );
  core.macro(
    "as?->",
    2,
    any,
    "(as?-> x as & forms)",
    "As as->, but stops with nil at the first falsey value.",
    ([first = null, name = null, ...forms]) =>
      forms.reduce((last, form) => {
        const held = fresh();
        return list(S.if, def(held, last), replace(form, name, held));
      }, first),
  );
}

function asFirst(value: Value, form: Value): Value {
  if (!(form instanceof Tuple)) return list(form, value);
  const [head = null, ...rest] = form.items;
  return placedAs(form, list(head, value, ...rest));
}

function asLast(value: Value, form: Value): Value {
  if (!(form instanceof Tuple)) return list(form, value);
  const [head = null, ...rest] = form.items;
  return placedAs(form, list(head, ...rest, value));
}

/** A tuple that stands for another: errors in it point to where that one is. */
function placedAs(form: Tuple, made: Tuple): Tuple {
  made.line = form.line;
  made.column = form.column;
  return made;
}

function whenTruthy(last: Value, form: Value, place: (value: Value, form: Value) => Value): Value {
  const held = fresh();
  return body(def(held, last), list(S.if, held, place(held, form)));
}

/** A form with one symbol replaced by another wherever it stands. */
function replace(form: Value, from: Value, to: Value): Value {
  const inner = (part: Value) => replace(part, from, to);
  if (form === from) return to;
  if (form instanceof Tuple) {
    return placedAs(form, new Tuple(form.items.map(inner), form.bracketed));
  }
  if (form instanceof JArray) return new JArray(form.items.map(inner));
  if (form instanceof Table || form instanceof Struct) {
    const pairs: [Value, Value][] = [];
    for (let slot = 0; slot < form.slots; slot++)
      if (form.liveAt(slot)) pairs.push([inner(form.keyAt(slot)), inner(form.valueAt(slot))]);
    return form instanceof Table ? tableOf(pairs) : structOf(pairs);
  }
  return form;
}
