import { show } from "../print/describe.ts";
import { formatArgs } from "../print/format.ts";
import { Kw, kw, Sym } from "../values/names.ts";
import { JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import type { Rule, SharedRule } from "./rule.ts";
import { specials } from "./specials.ts";

/** How deep patterns and references may be nested. */
export const depthLimit = 1_024;

/** The rules of one grammar; those of the grammar around it are seen through it. */
class Scope {
  readonly rules: Table | Struct;
  readonly outer: Scope | null;
  /** Tuples and grammars that were read here: form → index in `shared`. */
  private readonly known = new Table();
  private readonly shared: SharedRule[] = [];
  constructor(rules: Table | Struct, outer: Scope | null) {
    this.rules = rules;
    this.outer = outer;
  }
  find(form: Value): SharedRule | undefined {
    const index = this.known.rawGet(form);
    return typeof index === "number" ? this.shared[index] : undefined;
  }
  keep(form: Value, shared: SharedRule): void {
    this.known.put(form, this.shared.length);
    this.shared.push(shared);
  }
}

/** Reads a grammar as Janet writes it into {@link Rule}s. Errors quote the form that is being read. */
export class GrammarReader {
  private scope = new Scope(new Table(), null);
  private form: Value = null;
  private depth = 0;
  private readonly tags = new Map<Kw, number>();
  private readonly defaults: Table | null;
  /** @param defaults the rules that stand for themselves, as `(dyn :peg-grammar)` */
  constructor(defaults: Table | null) {
    this.defaults = defaults;
  }

  read(given: Value): Rule {
    const { form: formAround, scope: scopeAround } = this;
    if (this.depth >= depthLimit) this.fail("peg grammar recursed too deeply");
    this.depth++;
    this.form = given;
    const form = this.resolve(given);
    const rule = this.readResolved(form);
    this.depth--;
    this.form = formAround;
    this.scope = scopeAround;
    return rule;
  }

  /** Raises a grammar error about the form that is being read. */
  fail(text: string): never {
    panic(`grammar error in ${formatArgs("%p", [this.form], 0)}, ${text}`);
  }

  /** The number of a tag, counted from 1. */
  tag(value: Value): number {
    if (!(value instanceof Kw)) return this.fail(`expected keyword for capture tag, got ${show(value)}`);
    const known = this.tags.get(value);
    if (known !== undefined) return known;
    const fresh = this.tags.size + 1;
    if (fresh > 255) this.fail("too many tags - up to 255 tags are supported per peg");
    this.tags.set(value, fresh);
    return fresh;
  }

  integer(value: Value): number {
    return isInteger(value) ? value : this.fail(`expected integer, got ${show(value)}`);
  }

  natural(value: Value): number {
    const number = this.integer(value);
    return number >= 0 ? number : this.fail(`expected non-negative integer, got ${show(value)}`);
  }

  /** Exactly so many arguments. */
  exactly(args: readonly Value[], count: number): void {
    if (args.length !== count)
      this.fail(`expected ${count} argument${count === 1 ? "" : "s"}, got ${args.length}`);
  }

  between(args: readonly Value[], min: number, max: number): void {
    if (args.length < min) this.fail(`arity mismatch, expected at least ${min}, got ${args.length}`);
    if (args.length > max) this.fail(`arity mismatch, expected at most ${max}, got ${args.length}`);
  }

  /** Follows keywords to what they stand for. */
  private resolve(given: Value): Value {
    let form = given;
    for (let steps = depthLimit; form instanceof Kw; steps--) {
      if (steps === 0) this.fail("reference chain too deep");
      let scope: Scope | null = this.scope;
      while (scope !== null && scope.rules.rawGet(form) === null) scope = scope.outer;
      const found: Value = scope === null ? (this.defaults?.get(form) ?? null) : scope.rules.rawGet(form);
      if (found === null) this.fail("unknown rule");
      if (scope !== null) this.scope = scope;
      form = found;
      this.form = form;
    }
    return form;
  }

  private readResolved(form: Value): Rule {
    if (typeof form === "boolean") return { kind: form ? "yes" : "no" };
    if (typeof form === "number") {
      const count = this.integer(form);
      return count < 0 ? { kind: "not-any", count: -count } : { kind: "any", count };
    }
    if (typeof form === "string") return { kind: "text", text: form };
    if (form instanceof JBuffer) return { kind: "text", text: form.text() };
    if (!(form instanceof Tuple || form instanceof Struct || form instanceof Table))
      return this.fail("unexpected peg source");
    const known = this.scope.find(form);
    if (known !== undefined) {
      known.uses++;
      return { kind: "shared", shared: known };
    }
    const shared: SharedRule = { rule: null, uses: 1 };
    this.scope.keep(form, shared);
    shared.rule = form instanceof Tuple ? this.readTuple(form.items) : this.readGrammar(form);
    return { kind: "shared", shared };
  }

  private readGrammar(form: Table | Struct): Rule {
    const main = form.rawGet(kw("main"));
    if (main === null) this.fail("grammar requires :main rule");
    this.scope = new Scope(form, this.scope);
    return this.read(main);
  }

  private readTuple(items: readonly Value[]): Rule {
    if (items.length === 0) this.fail("tuple in grammar must have non-zero length");
    const head = items[0] as Value;
    if (isInteger(head)) {
      const count = this.natural(head);
      this.exactly(items, 2);
      return { kind: "repeat", lo: count, hi: count, rule: this.read(items[1] as Value) };
    }
    if (!(head instanceof Sym)) return this.fail(`expected grammar command, found ${show(head)}`);
    const special = specials.get(head.name);
    if (special === undefined) return this.fail(`unknown special ${head.name}`);
    return special(this, items.slice(1));
  }
}

function isInteger(value: Value): value is number {
  return typeof value === "number" && value === (value | 0);
}
