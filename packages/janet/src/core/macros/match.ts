import { Sym, sym } from "../../values/names.ts";
import { JArray, Tuple } from "../../values/sequences.ts";
import { Struct, Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import type { Registrar } from "../registrar.ts";
import { and } from "./conditions.ts";
import { body, type CoreValue, callPlain, def, fresh, list, S } from "./forms.ts";

const wildcard = sym("_");
const exact = sym("$");
const unify = sym("@");

export function installMatch(core: Registrar, value: CoreValue): void {
  core.macro(
    "match",
    1,
    Number.POSITIVE_INFINITY,
    "(match x & cases)",
    "Takes patterns and results in turn and gives the result of the first pattern that x matches; a last form alone is the default. Symbols bind, `_` matches anything, `[a b & rest]` arrays and tuples (`$` at the end: of exactly this length), `{:key pattern}` tables and structs, `(pattern condition …)` asks for more, `(@ sym)` compares with a value in scope.",
    ([subject = null, ...cases], vm) => {
      const held = fresh();
      const from = (at: number): Value => {
        if (at >= cases.length) return null;
        const pattern = cases[at] as Value;
        if (at === cases.length - 1) return pattern;
        const clause = new Clause(vm, value);
        clause.visit(pattern, held);
        return clause.form(cases[at + 1] as Value, from(at + 2));
      };
      const branches = from(0);
      return body(def(held, subject), branches);
    },
  );
}

/** `'x` and forms of one part are compared as values. */
function isLiteral({ items }: Tuple): boolean {
  return items.length < 2 || items[0] === S.quote;
}

type Step = { readonly test: Value } | { readonly name: Sym; readonly part: Value };

/** One pattern of a `match`: the tests and the parts it looks at, in order, and the names that it binds. */
class Clause {
  private readonly vm: Vm;
  private readonly value: CoreValue;
  private readonly steps: Step[] = [];
  private readonly bound = new Map<Sym, Sym>();
  /** Conditions of `(pattern condition …)`; they see all names. */
  private readonly conditions: Value[] = [];

  constructor(vm: Vm, value: CoreValue) {
    this.vm = vm;
    this.value = value;
  }

  /** Takes a pattern for the value that the symbol `held` stands for. */
  visit(pattern: Value, held: Sym): void {
    if (pattern === wildcard) return;
    if (pattern instanceof Sym) this.bind(pattern, held);
    else if (pattern instanceof Tuple && !pattern.bracketed && !isLiteral(pattern)) {
      const [first = null, ...conditions] = pattern.items;
      if (first === unify) this.test(this.call("=", held, conditions[0] ?? null));
      else {
        this.visit(first, held);
        this.conditions.push(...conditions);
      }
    } else if (pattern instanceof JArray || (pattern instanceof Tuple && pattern.bracketed))
      this.visitList(pattern.items, held);
    else if (pattern instanceof Table || pattern instanceof Struct) {
      for (let slot = 0; slot < pattern.slots; slot++) {
        if (!pattern.liveAt(slot)) continue;
        const part = this.part(this.call("get", held, pattern.keyAt(slot)));
        this.test(this.call("not=", null, part));
        this.visit(pattern.valueAt(slot), part);
      }
    } else this.test(this.call("=", held, pattern));
  }

  /** The `if` of this clause. */
  form(result: Value, otherwise: Value): Value {
    const names = [...this.bound].map(([name, held]) => def(name, held));
    const last: Value = this.conditions.length === 0 ? true : body(...names, and(this.conditions));
    const test = this.steps.reduceRight<Value>((inner, step) => {
      if ("name" in step) return body(list(S.set, step.name, step.part), inner);
      return inner === true ? step.test : list(S.if, step.test, inner, null);
    }, last);
    const parts = this.steps.flatMap((step) => ("name" in step ? [list(S.var, step.name, null)] : []));
    const then = names.length === 0 ? result : body(...names, result);
    const choice = list(S.if, test, then, otherwise);
    return parts.length === 0 ? choice : body(...parts, choice);
  }

  private visitList(items: readonly Value[], held: Sym): void {
    const rest = items.indexOf(S.rest);
    const isExact = items.at(-1) === exact;
    const count = rest >= 0 ? rest : isExact ? items.length - 1 : items.length;
    this.test(this.call("indexed?", held));
    if (isExact && rest < 0) this.test(this.call("=", this.call("length", held), count));
    else if (count > 0) this.test(this.call(">=", this.call("length", held), count));
    for (let at = 0; at < count; at++) this.visitPart(items[at] as Value, () => this.call("in", held, at));
    if (rest < 0) return;
    const after = items.slice(rest + 1);
    if (after.length === 0) panic("expected symbol following '& in pattern");
    if (after.length > 1) this.refuse("expected a single symbol follow '& in pattern, found", after);
    const target = after[0] as Value;
    if (!(target instanceof Sym)) this.refuse("expected symbol following '& in pattern, found", target);
    else this.visitPart(target, () => this.call("tuple/slice", held, rest));
  }

  private visitPart(pattern: Value, part: () => Value): void {
    if (pattern !== wildcard) this.visit(pattern, this.part(part()));
  }

  /** A name that stands for a part from now on. */
  private part(form: Value): Sym {
    const name = fresh();
    this.steps.push({ name, part: form });
    return name;
  }

  /** A name that was bound before asks for an equal value. */
  private bind(name: Sym, held: Sym): void {
    const before = this.bound.get(name);
    if (before === undefined) this.bound.set(name, held);
    else this.test(this.call("=", held, before));
  }

  private test(form: Value): void {
    this.steps.push({ test: form });
  }

  private call(name: string, ...parts: Value[]): Tuple {
    return list(this.value(name), ...parts);
  }

  private refuse(words: string, found: readonly Value[] | Value): never {
    const shown = Array.isArray(found) ? new Tuple(found) : (found as Value);
    return panic(`${words} ${callPlain(this.vm, this.value, "string/format", "%q", shown) as string}`);
  }
}
