import { show } from "../print/describe.ts";
import { Abstract } from "../values/abstract.ts";
import { Closure, Native } from "../values/functions.ts";
import { Kw, kw, Sym, sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { type Dictionary, Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Fiber } from "../vm/fiber.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import { codecOf } from "./abstract.ts";
import { writeClosure } from "./closures.ts";
import { depthLimit, lead } from "./lead.ts";

const double = new DataView(new ArrayBuffer(8));

/** Writes values as bytes that {@link Unmarshaller} reads. */
export class Marshaller {
  private readonly vm: Vm;
  private readonly out: JBuffer;
  private readonly names: Table | null;
  /** Values that can be referred to, by the number that the reader gives them too. */
  private readonly seen = new Map<unknown, number>();
  private numbers = 0;
  private readonly shares: boolean;
  private depth = 0;

  /**
   * @param names value → symbol, for what is written as a name only
   * @param shares whether what is met twice is written once; else cycles are refused
   */
  constructor(vm: Vm, out: JBuffer, names: Table | null, shares: boolean) {
    this.vm = vm;
    this.out = out;
    this.names = names;
    this.shares = shares;
  }

  write(value: Value): void {
    if (this.depth >= depthLimit) panic("stack overflow");
    this.depth++;
    this.vm.spend(1);
    this.any(value);
    this.depth--;
  }

  /** Says of a thing that is no value, such as a variable that closures share, whether it comes for the first time. */
  begins(thing: object): boolean {
    const number = this.seen.get(thing);
    if (number === undefined) {
      this.out.pushByte(lead.nil);
      this.remember(thing);
      return true;
    }
    this.out.pushByte(lead.reference);
    this.count(number);
    return false;
  }

  /** Refuses a C function that the dictionary does not name. */
  mustBeNamed(value: Value): void {
    if (!(this.names?.get(value) instanceof Sym))
      panic(`no registry value and cannot marshal ${show(value)}`);
  }

  count(count: number): void {
    let rest = count;
    while (rest >= 128) {
      this.out.pushByte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.out.pushByte(rest);
  }

  private any(value: Value): void {
    const { out } = this;
    if (value === null) out.pushByte(lead.nil);
    else if (typeof value === "boolean") out.pushByte(value ? lead.true : lead.false);
    else if (typeof value === "number") this.number(value);
    else if (!this.known(value)) this.fresh(value);
  }

  private number(value: number): void {
    const { out } = this;
    if (value === (value | 0) && !Object.is(value, -0)) {
      if (value >= 0 && value < 128) {
        out.pushByte(value);
        return;
      }
      out.pushByte(lead.integer);
      this.count(value < 0 ? -value * 2 - 1 : value * 2);
      return;
    }
    out.pushByte(lead.double);
    double.setFloat64(0, value);
    for (let at = 0; at < 8; at++) out.pushByte(double.getUint8(at));
  }

  /** Writes what was met before as its number, and what the dictionary names as its name. */
  private known(value: Exclude<Value, null | boolean | number>): boolean {
    const number = this.shares ? this.seen.get(value) : undefined;
    if (number !== undefined) {
      this.out.pushByte(lead.reference);
      this.count(number);
      return true;
    }
    const name = this.names?.get(value);
    if (!(name instanceof Sym)) return false;
    this.text(lead.registry, name.name);
    return true;
  }

  private fresh(value: Exclude<Value, null | boolean | number>): void {
    if (typeof value === "string") this.text(lead.string, value);
    else if (value instanceof Sym) this.text(lead.symbol, value.name);
    else if (value instanceof Kw) this.text(lead.keyword, value.name);
    else if (value instanceof JArray) {
      this.remember(value);
      this.items(lead.array, value.items);
    } else if (value instanceof Tuple) {
      this.items(value.bracketed ? lead.bracketTuple : lead.tuple, value.items);
      this.remember(value);
    } else if (value instanceof Table) {
      this.remember(value);
      this.dictionary(value, lead.table, lead.tableWithProto);
    } else if (value instanceof Struct) {
      this.dictionary(value, lead.struct, lead.structWithProto);
      this.remember(value);
    } else if (value instanceof JBuffer) {
      this.remember(value);
      this.text(lead.buffer, value.text());
    } else if (value instanceof Abstract) this.abstract(value);
    else if (value instanceof Native) this.native(value);
    else if (value instanceof Closure) this.closure(value);
    else this.fiber(value);
  }

  private remember(thing: unknown): void {
    this.seen.set(thing, this.numbers++);
  }

  private text(first: number, text: string): void {
    this.out.pushByte(first);
    this.count(text.length);
    this.out.pushString(text);
  }

  private items(first: number, items: readonly Value[]): void {
    this.out.pushByte(first);
    this.count(items.length);
    for (const item of items) this.write(item);
  }

  private dictionary(value: Dictionary, without: number, withProto: number): void {
    this.out.pushByte(value.proto ? withProto : without);
    this.count(value.size);
    if (value.proto) this.write(value.proto);
    for (let slot = 0; slot < value.slots; slot++) {
      if (!value.liveAt(slot)) continue;
      this.write(value.keyAt(slot));
      this.write(value.valueAt(slot));
    }
  }

  private abstract(value: Abstract): void {
    const { name } = value.type;
    const codec = codecOf(name);
    if (codec === undefined)
      panic(name === "core/file" ? "cannot marshal file in safe mode" : `cannot marshal ${show(value)}`);
    this.text(lead.abstract, name);
    this.write(codec.write(value.data, this.vm));
    this.remember(value);
  }

  private native(value: Native): void {
    const entry = this.vm.core.get(sym(value.name));
    const found = entry instanceof Table && entry.get(kw("value")) === value;
    if (value.kind === "cfunction" || !found) panic(`no registry value and cannot marshal ${show(value)}`);
    this.text(lead.native, value.name);
    this.remember(value);
  }

  private closure(value: Closure): void {
    this.remember(value);
    this.out.pushByte(lead.closure);
    writeClosure(this, value);
  }

  private fiber(value: Fiber): void {
    if (value.status === "alive") panic("cannot marshal alive fiber");
    if (value.status !== "new" && value.status !== "dead") panic("cannot marshal fiber with c stackframe");
    this.remember(value);
    this.out.pushByte(lead.fiber);
    this.write(value.fn);
    this.write(value.mask);
    this.write(value.env);
    this.write(value.status === "new");
    this.write(value.last);
  }
}
