import { equals } from "../../values/equality.ts";
import { type Call, Closure, Native } from "../../values/functions.ts";
import { kw, Sym, sym } from "../../values/names.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { Struct, Table } from "../../values/tables.ts";
import { truthy, type Value } from "../../values/value.ts";
import { callValue } from "../../vm/call.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Signal } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";
import { ownEnv } from "../fibers/fibers.ts";
import type { Registrar } from "../registrar.ts";

const keys = { value: kw("value"), ref: kw("ref"), macro: kw("macro"), form: kw("macro-form") };
const unquote = sym("unquote");

/** How deep forms may be nested. */
const DEEPEST = 1_024;

/** The items of an expanded form. */
type Items = Generator<Signal, Value[], Value>;

/** `macex` and `macex1`. */
export function install(core: Registrar): void {
  core.gen(
    "macex1",
    1,
    2,
    "(macex1 x &opt on-binding)",
    "Expands the macros of a form once, on every level. on-binding is called with each symbol.",
    (args, vm) => new Expander(vm, args[1] ?? null).expand(args[0] as Value),
  );
  core.gen(
    "macex",
    1,
    2,
    "(macex x &opt on-binding)",
    "Expands the macros of a form until there are none left.",
    (args, vm) => untilSame(vm, args[0] as Value, args[1] ?? null),
  );
}

function* untilSame(vm: Vm, form: Value, onBinding: Value): Call {
  let current = form;
  for (let turn = 0; turn < 200; turn++) {
    const previous = current;
    current = yield* new Expander(vm, onBinding).expand(previous);
    if (sameForm(current, previous)) return current;
  }
  return panic("macro expansion too nested");
}

class Expander {
  private readonly vm: Vm;
  private readonly onBinding: Value;
  private depth = 0;
  constructor(vm: Vm, onBinding: Value) {
    this.vm = vm;
    this.onBinding = onBinding;
  }

  *expand(form: Value): Call {
    if (++this.depth > DEEPEST) panic("stack overflow");
    this.vm.spend(5);
    const made = yield* this.part(form);
    this.depth--;
    return made;
  }

  private *part(form: Value): Call {
    if (form instanceof Tuple) return yield* this.tuple(form);
    if (form instanceof JArray) return new JArray(yield* this.each(form.items));
    if (form instanceof Struct || form instanceof Table)
      return yield* this.dictionary(form, (part) => this.expand(part));
    if (form instanceof Sym && this.onBinding !== null)
      return yield* callValue(this.vm, this.onBinding, [form]);
    return form;
  }

  private *each(forms: readonly Value[]): Items {
    const made: Value[] = [];
    for (const form of forms) made.push(yield* this.expand(form));
    return made;
  }

  private *tuple(form: Tuple): Call {
    const [head] = form.items;
    if (form.bracketed || !(head instanceof Sym)) return like(form, yield* this.each(form.items));
    const special = Object.hasOwn(specials, head.name) ? specials[head.name] : undefined;
    if (special) return like(form, yield* special.call(this, form));
    const macro = this.macro(head);
    if (!macro) return like(form, yield* this.each(form.items));
    const env = ownEnv(this.vm);
    env.put(keys.form, form);
    const made = yield* callValue(this.vm, macro, form.items.slice(1));
    env.put(keys.form, null);
    return made;
  }

  private macro(name: Sym): Closure | Native | null {
    const entry = ownEnv(this.vm).get(name);
    if (!(entry instanceof Table) || !truthy(entry.get(keys.macro))) return null;
    const cell = entry.get(keys.ref);
    const value = cell instanceof JArray ? (cell.items[0] ?? null) : entry.get(keys.value);
    return value instanceof Closure || value instanceof Native ? value : null;
  }

  *dictionary(form: Struct | Table, part: (form: Value) => Call): Call {
    const made = form instanceof Struct ? new Struct() : new Table();
    for (let slot = 0; slot < form.slots; slot++) {
      if (form.liveAt(slot)) made.put(yield* part(form.keyAt(slot)), yield* part(form.valueAt(slot)));
    }
    return made;
  }

  /** The keys of a pattern are forms. */
  *pattern(form: Value): Call {
    if (form instanceof JArray || form instanceof Tuple) {
      const made: Value[] = [];
      for (const item of form.items) made.push(yield* this.pattern(item));
      return form instanceof JArray ? new JArray(made) : like(form, made);
    }
    if (form instanceof Struct || form instanceof Table) {
      const made = form instanceof Struct ? new Struct() : new Table();
      for (let slot = 0; slot < form.slots; slot++) {
        if (form.liveAt(slot))
          made.put(yield* this.expand(form.keyAt(slot)), yield* this.pattern(form.valueAt(slot)));
      }
      return made;
    }
    return form;
  }

  *definition(form: Tuple): Items {
    const { items } = form;
    if (items.length < 3) return [...items];
    const made = [items[0], yield* this.pattern(items[1] as Value), ...items.slice(2, -1)] as Value[];
    made.push(yield* this.expand(items.at(-1) as Value));
    return made;
  }

  *function(form: Tuple): Items {
    const bodyAt = form.items[1] instanceof Tuple ? 2 : 3;
    return [...form.items.slice(0, bodyAt), ...(yield* this.each(form.items.slice(bodyAt)))];
  }

  *all(form: Tuple): Items {
    return [form.items[0] as Value, ...(yield* this.each(form.items.slice(1)))];
  }

  *quasi(form: Value): Call {
    if (form instanceof Tuple) {
      if (form.items[0] === unquote) return like(form, yield* this.all(form));
      const made: Value[] = [];
      for (const item of form.items) made.push(yield* this.quasi(item));
      return like(form, made);
    }
    if (form instanceof JArray) {
      const made: Value[] = [];
      for (const item of form.items) made.push(yield* this.quasi(item));
      return new JArray(made);
    }
    if (form instanceof Struct || form instanceof Table)
      return yield* this.dictionary(form, (part) => this.quasi(part));
    return form;
  }
}

// biome-ignore lint/correctness/useYield: as the others
function* unchanged(this: Expander, form: Tuple): Items {
  return [...form.items];
}

function* quasiquoted(this: Expander, form: Tuple): Items {
  return [form.items[0] as Value, yield* this.quasi(form.items[1] ?? null)];
}

/** How the parts of special forms are expanded: each gives the items of the new form. */
const specials: Readonly<Record<string, (this: Expander, form: Tuple) => Items>> = {
  def: Expander.prototype.definition,
  var: Expander.prototype.definition,
  set: Expander.prototype.all,
  do: Expander.prototype.all,
  if: Expander.prototype.all,
  while: Expander.prototype.all,
  break: Expander.prototype.all,
  upscope: Expander.prototype.all,
  splice: Expander.prototype.all,
  fn: Expander.prototype.function,
  quote: unchanged,
  quasiquote: quasiquoted,
};

/** A tuple written as another is, and at its place. */
function like(form: Tuple, items: readonly Value[]): Tuple {
  const made = new Tuple(items, form.bracketed);
  made.line = form.line;
  made.column = form.column;
  return made;
}

/** Whether two forms are the same, arrays, tables and buffers by what is in them. */
function sameForm(a: Value, b: Value): boolean {
  if (a === b) return true;
  if ((a instanceof Tuple && b instanceof Tuple) || (a instanceof JArray && b instanceof JArray)) {
    return (
      a.items.length === b.items.length && a.items.every((item, at) => sameForm(item, b.items[at] as Value))
    );
  }
  if ((a instanceof Table && b instanceof Table) || (a instanceof Struct && b instanceof Struct)) {
    if (a.size !== b.size) return false;
    for (let slot = 0; slot < a.slots; slot++)
      if (a.liveAt(slot) && !sameForm(a.valueAt(slot), b.rawGet(a.keyAt(slot)))) return false;
    return true;
  }
  if (a instanceof JBuffer && b instanceof JBuffer) return a.text() === b.text();
  return equals(a, b);
}
