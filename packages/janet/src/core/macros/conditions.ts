import { kw, Sym, sym } from "../../values/names.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Registrar } from "../registrar.ts";
import { body, type CoreValue, def, fresh, idempotent, itemsOf, list, S } from "./forms.ts";

/** Branches: `when`, `cond`, `case`, `if-let`, `and`, … */
export function installConditions(core: Registrar, value: CoreValue): void {
  const any = Number.POSITIVE_INFINITY;
  core.macro(
    "when",
    1,
    any,
    "(when condition & body)",
    "Evaluates the body when the condition is truthy, else gives nil.",
    ([condition = null, ...forms]) => list(S.if, condition, body(...forms)),
  );
  core.macro(
    "unless",
    1,
    any,
    "(unless condition & body)",
    "Evaluates the body when the condition is falsey, else gives nil.",
    ([condition = null, ...forms]) => list(S.if, condition, null, body(...forms)),
  );
  core.macro(
    "if-not",
    2,
    3,
    "(if-not condition then &opt else)",
    "An if with its two branches exchanged.",
    ([condition = null, then = null, otherwise = null]) => list(S.if, condition, otherwise, then),
  );
  core.macro(
    "cond",
    0,
    any,
    "(cond & pairs)",
    "Takes tests and results in turn and gives the result of the first truthy test; a last form without a partner is the default.",
    (pairs) => cond(pairs, 0),
  );
  core.macro(
    "case",
    1,
    any,
    "(case dispatch & pairs)",
    "Compares one value with each key in turn by = and gives the form after the first equal one; a last form alone is the default.",
    ([dispatch = null, ...pairs]) => caseOf(value, dispatch, pairs),
  );
  core.macro(
    "and",
    0,
    any,
    "(and & forms)",
    "Evaluates forms until one is falsey and gives that, or the value of the last.",
    and,
  );
  core.macro(
    "or",
    0,
    any,
    "(or & forms)",
    "Evaluates forms until one is truthy and gives that, or the value of the last.",
    or,
  );
  core.macro(
    "if-let",
    2,
    3,
    "(if-let bindings then &opt else)",
    "Binds one after the other; when all values are truthy evaluates `then` with the bindings, else `else`.",
    ([bindings = null, then = null, otherwise = null]) => ifLet(bindings, then, otherwise),
  );
  core.macro(
    "when-let",
    1,
    any,
    "(when-let bindings & body)",
    "Binds one after the other and evaluates the body when all values are truthy.",
    ([bindings = null, ...forms]) => list(sym("if-let"), bindings, body(...forms)),
  );
  core.macro(
    "default",
    2,
    2,
    "(default sym value)",
    "Gives a symbol that holds nil a value; for optional parameters.",
    ([name = null, value_ = null]) => defaultOf(value, name, value_),
  );
}

function cond(pairs: readonly Value[], at: number): Value {
  const [test = null, result = null] = pairs.slice(at, at + 2);
  if (at >= pairs.length) return null;
  if (at === pairs.length - 1) return test;
  return list(S.if, test, result, cond(pairs, at + 2));
}

function caseOf(value: CoreValue, dispatch: Value, pairs: readonly Value[]): Value {
  const atom = idempotent(dispatch) ? dispatch : fresh();
  const from = (at: number): Value => {
    const [key = null, result = null] = pairs.slice(at, at + 2);
    if (at >= pairs.length) return null;
    if (at === pairs.length - 1) return key;
    return list(S.if, list(value("="), atom, key), result, from(at + 2));
  };
  return atom === dispatch ? from(0) : body(def(atom, dispatch), from(0));
}

export function and(forms: readonly Value[]): Value {
  let result: Value = forms.length === 0 ? true : (forms.at(-1) as Value);
  for (let at = forms.length - 2; at >= 0; at--) {
    const form = forms[at] as Value;
    if (idempotent(form)) result = list(S.if, form, result, form);
    else {
      const held = fresh();
      result = list(S.if, def(held, form), result, held);
    }
  }
  return result;
}

function or(forms: readonly Value[]): Value {
  let result: Value = forms.at(-1) ?? null;
  for (let at = forms.length - 2; at >= 0; at--) {
    const form = forms[at] as Value;
    if (idempotent(form)) result = list(S.if, form, form, result);
    else {
      const held = fresh();
      result = body(def(held, form), list(S.if, held, held, result));
    }
  }
  return result;
}

/** A symbol is bound in the test itself; a pattern only after the test. */
export function ifLet(bindings: Value, then: Value, otherwise: Value): Value {
  const items = itemsOf(bindings);
  if (items.length === 0) panic("expected at least 1 binding");
  if (items.length % 2 === 1) panic("expected an even number of bindings");
  const from = (at: number): Value => {
    if (at >= items.length) return then;
    const target = items[at] as Value;
    const source = items[at + 1] as Value;
    if (target instanceof Sym) return list(S.if, def(target, source), from(at + 2), otherwise);
    const held = fresh();
    return list(S.if, def(held, source), body(def(target, held), from(at + 2)), otherwise);
  };
  return from(0);
}

function defaultOf(value: CoreValue, name: Value, form: Value): Value {
  return list(S.def, name, shadow, list(S.if, list(value("="), null, name), form, name));
}
const shadow = kw("shadow");
