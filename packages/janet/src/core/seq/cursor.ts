import { show } from "../../print/describe.ts";
import { Abstract } from "../../values/abstract.ts";
import { Kw, Sym } from "../../values/names.ts";
import { getValue, nextKey } from "../../values/operators.ts";
import { JArray, JBuffer, Tuple } from "../../values/sequences.ts";
import { Struct, Table } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";
import { Fiber } from "../../vm/fiber.ts";
import { canResume, resume } from "../../vm/fibers.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Signal } from "../../vm/signal.ts";
import type { Vm } from "../../vm/vm.ts";

/** Something that suspends on its way to a truth value. */
type Walk = Generator<Signal, boolean, Value>;

/**
 * Goes over what a value holds, as `next` and `in` do. Only fibers run code on the way, so a loop reads
 * `while (at.plain ? at.step() : yield* at.resume(vm))`.
 */
export abstract class Cursor {
  key: Value = null;
  value: Value = null;
  readonly plain: boolean = true;
  /** Goes to the next place; false: there is none. */
  abstract step(): boolean;
  /** As {@link step}, for what may suspend. */
  // biome-ignore lint/correctness/useYield: only a fiber's cursor suspends
  *resume(_vm: Vm): Walk {
    return this.step();
  }
}

/** @throws JanetError for what cannot be gone over */
export function cursorOf(ds: Value): Cursor {
  if (ds instanceof JArray || ds instanceof Tuple) return new ItemsCursor(ds);
  if (ds instanceof Table || ds instanceof Struct) return new EntriesCursor(ds);
  if (typeof ds === "string") return new TextCursor(ds);
  if (ds instanceof Kw || ds instanceof Sym) return new TextCursor(ds.name);
  if (ds instanceof JBuffer || ds instanceof Abstract) return new KeyCursor(ds);
  if (ds instanceof Fiber) return new FiberCursor(ds);
  return panic(`expected iterable type, got ${show(ds)}`);
}

class ItemsCursor extends Cursor {
  private readonly holder: JArray | Tuple;
  private at = -1;
  constructor(holder: JArray | Tuple) {
    super();
    this.holder = holder;
  }
  step(): boolean {
    const { items } = this.holder;
    if (++this.at >= items.length) return false;
    this.key = this.at;
    this.value = items[this.at] as Value;
    return true;
  }
}

class EntriesCursor extends Cursor {
  private readonly holder: Table | Struct;
  private slot = -1;
  constructor(holder: Table | Struct) {
    super();
    this.holder = holder;
  }
  step(): boolean {
    const { holder } = this;
    do {
      if (++this.slot >= holder.slots) return false;
    } while (!holder.liveAt(this.slot));
    this.key = holder.keyAt(this.slot);
    this.value = holder.valueAt(this.slot);
    return true;
  }
}

class TextCursor extends Cursor {
  private readonly text: string;
  private at = -1;
  constructor(text: string) {
    super();
    this.text = text;
  }
  step(): boolean {
    if (++this.at >= this.text.length) return false;
    this.key = this.at;
    this.value = this.text.charCodeAt(this.at);
    return true;
  }
}

class KeyCursor extends Cursor {
  private readonly holder: Value;
  constructor(holder: Value) {
    super();
    this.holder = holder;
  }
  step(): boolean {
    this.key = nextKey(this.holder, this.key);
    if (this.key === null) return false;
    this.value = getValue(this.holder, this.key);
    return true;
  }
}

class FiberCursor extends Cursor {
  override readonly plain = false;
  private readonly fiber: Fiber;
  constructor(fiber: Fiber) {
    super();
    this.fiber = fiber;
  }
  step(): boolean {
    throw new Error("a fiber is resumed");
  }
  override *resume(vm: Vm): Walk {
    const { fiber } = this;
    if (fiber.status !== "alive" && !canResume(fiber)) return false;
    this.value = yield* resume(vm, fiber, null);
    this.key = 0;
    return canResume(fiber);
  }
}

/** Several values gone over in step, up to the end of the shortest; what it gives are the arguments of a call. */
export class Rows {
  readonly plain: boolean;
  private readonly cursors: readonly Cursor[];
  constructor(sources: readonly Value[]) {
    this.cursors = sources.map(cursorOf);
    this.plain = this.cursors.every((cursor) => cursor.plain);
  }
  step(): boolean {
    for (const cursor of this.cursors) if (!cursor.step()) return false;
    return true;
  }
  *resume(vm: Vm): Walk {
    for (const cursor of this.cursors)
      if (!(cursor.plain ? cursor.step() : yield* cursor.resume(vm))) return false;
    return true;
  }
  /** The values at this place, in a list of their own. */
  args(): Value[] {
    return this.cursors.map((cursor) => cursor.value);
  }
}

/** All values that something holds. The list is not to be changed. */
export function* valuesOf(vm: Vm, ds: Value): Generator<Signal, readonly Value[], Value> {
  if (ds instanceof JArray || ds instanceof Tuple) {
    vm.spend(ds.items.length);
    return ds.items;
  }
  const at = cursorOf(ds);
  const values: Value[] = [];
  while (at.plain ? at.step() : yield* at.resume(vm)) {
    vm.spend(1);
    values.push(at.value);
  }
  return values;
}

/** All keys and values that something holds. */
export function* pairsOf(vm: Vm, ds: Value): Generator<Signal, [Value, Value][], Value> {
  const at = cursorOf(ds);
  const pairs: [Value, Value][] = [];
  while (at.plain ? at.step() : yield* at.resume(vm)) {
    vm.spend(1);
    pairs.push([at.key, at.value]);
  }
  return pairs;
}
