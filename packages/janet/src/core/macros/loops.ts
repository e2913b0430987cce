import { show } from "../../print/describe.ts";
import { Kw, kw, Sym, sym } from "../../values/names.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import { body, type CoreValue, def, fresh, idempotent, itemAt, itemsOf, lambda, list, S } from "./forms.ts";

/** The building blocks of loops; each gives a form. `value` gives core functions. */
export class LoopForms {
  private readonly value: CoreValue;
  constructor(value: CoreValue) {
    this.value = value;
  }

  /** Counts from `start` by `step` while `compare` holds; `binding` is fresh in each round. */
  counted(
    binding: Value,
    [start, stop, step]: readonly [Value, Value, Value],
    compare: "<" | "<=" | ">" | ">=",
    forms: readonly Value[],
  ): Value {
    const at = fresh();
    return this.counter(at, [start, stop, step], compare, [def(binding, at), ...forms]);
  }

  /** As {@link counted}, but the counter itself is the variable `name`, which the forms may set. */
  counter(
    name: Value,
    [start, stop, step]: readonly [Value, Value, Value],
    compare: "<" | "<=" | ">" | ">=",
    forms: readonly Value[],
  ): Value {
    const setup: Value[] = [list(S.var, name, start)];
    const hold = (form: Value) => {
      if (idempotent(form)) return form;
      const held = fresh();
      setup.push(def(held, form));
      return held;
    };
    const limit = hold(stop);
    const by = hold(step);
    const move = this.value(compare.startsWith("<") ? "+" : "-");
    return body(
      ...setup,
      list(
        S.while,
        list(this.value(compare), name, limit),
        ...forms,
        list(S.set, name, list(move, name, by)),
      ),
    );
  }

  /** Goes over the keys, values or pairs of anything iterable. */
  each(binding: Value, source: Value, what: "keys" | "values" | "pairs", forms: readonly Value[]): Value {
    const held = fresh();
    const key = fresh();
    const found = list(this.value("in"), held, key);
    return body(
      def(held, source),
      list(S.var, key, list(this.value("next"), held, null)),
      list(
        S.while,
        list(this.value("not="), null, key),
        ...(what === "pairs"
          ? this.bindPair(binding, key, found)
          : [def(binding, what === "keys" ? key : found)]),
        ...forms,
        list(S.set, key, list(this.value("next"), held, key)),
      ),
    );
  }

  /** Evaluates a form again and again until it gives a falsey value. */
  iterate(binding: Value, form: Value, forms: readonly Value[]): Value {
    const held = fresh();
    return body(
      list(S.var, held, null),
      list(S.while, list(S.set, held, form), def(binding, held), ...forms),
    );
  }

  repeat(count: Value, forms: readonly Value[]): Value {
    const left = fresh();
    return body(
      list(S.var, left, count),
      list(
        S.while,
        list(this.value(">"), left, 0),
        ...forms,
        list(S.set, left, list(this.value("-"), left, 1)),
      ),
    );
  }

  /** Collects something for each round of a `loop`. `add` makes the form that stores. */
  collect(head: Value, empty: Value, add: (store: Value) => Value): Value {
    const store = fresh();
    return body(def(store, empty), this.loop(head, [add(store)]), store);
  }

  /** What `loop` makes of its head. */
  loop(head: Value, forms: readonly Value[]): Value {
    return this.clause(head, itemsOf(head).length, 0, forms);
  }

  private clause(head: Value, length: number, at: number, forms: readonly Value[]): Value {
    if (at >= length) return body(...forms);
    const binding = itemAt(head, at);
    const verb = itemAt(head, at + 1);
    if (binding instanceof Kw) return this.modified(binding, verb, this.clause(head, length, at + 2, forms));
    const object = itemAt(head, at + 2);
    const inner = [this.clause(head, length, at + 3, forms)];
    switch (verb instanceof Kw ? verb.name : "") {
      case "range":
        return this.counted(binding, rangeOf(object), "<", inner);
      case "range-to":
        return this.counted(binding, rangeOf(object), "<=", inner);
      case "down":
        return this.counted(binding, rangeOf(object), ">", inner);
      case "down-to":
        return this.counted(binding, rangeOf(object), ">=", inner);
      case "keys":
        return this.each(binding, object, "keys", inner);
      case "pairs":
        return this.each(binding, object, "pairs", inner);
      case "in":
        return this.each(binding, object, "values", inner);
      case "iterate":
        return this.iterate(binding, object, inner);
    }
    return panic(`unexpected loop verb ${plainText(verb)}`);
  }

  private modified(modifier: Kw, form: Value, inner: Value): Value {
    switch (modifier.name) {
      case "until":
        return body(list(S.if, form, list(S.break), null), inner);
      case "while":
        return body(list(S.if, form, null, list(S.break)), inner);
      case "let":
        return list(sym("let"), form, inner);
      case "before":
        return body(form, inner, null);
      case "after":
        return body(inner, form, null);
      case "repeat":
        return this.repeat(form, [inner]);
      case "when":
        return list(sym("when"), form, inner);
      case "unless":
        return list(sym("unless"), form, inner);
    }
    return panic(`unexpected loop modifier ${modifier.name}`);
  }

  /** A fiber that yields what the forms say. */
  coroutine(name: string, forms: readonly Value[]): Value {
    return list(this.value("fiber/new"), lambda(name, [], forms), kw("yi"));
  }

  /** `[k v]` is bound without making the pair. */
  private bindPair(binding: Value, key: Value, found: Value): Value[] {
    if (binding instanceof Tuple || binding instanceof JArray) {
      const [first = null, second = null] = binding.items;
      if (binding.items.length === 2 && first !== S.rest && second !== S.rest)
        return [def(first, key), def(second, found)];
    }
    return [def(binding, list(this.value("tuple"), key, found))];
  }
}

/** Start, stop and step of `[start stop &opt step]`. */
function rangeOf(form: Value): readonly [Value, Value, Value] {
  if (!(form instanceof Tuple || form instanceof JArray))
    panic(`expected tuple for range, got ${plainText(form)}`);
  const [start = null, stop = null, step = null] = form.items;
  return [start, stop, step ?? 1];
}

/** A value as `string` shows it: names and strings bare. */
function plainText(value: Value): string {
  if (typeof value === "string") return value;
  return value instanceof Sym || value instanceof Kw ? value.name : show(value);
}
