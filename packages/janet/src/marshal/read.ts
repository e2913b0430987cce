import type { Abstract } from "../values/abstract.ts";
import { Closure, Native } from "../values/functions.ts";
import { kw, sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { Fiber } from "../vm/fiber.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";
import { codecOf } from "./abstract.ts";
import { emptyClosure, readClosure } from "./closures.ts";
import { depthLimit, lead } from "./lead.ts";

const double = new DataView(new ArrayBuffer(8));

/** Reads what {@link Marshaller} wrote. */
export class Unmarshaller {
  private readonly vm: Vm;
  private readonly bytes: string;
  private readonly names: Table | null;
  private readonly seen: unknown[] = [];
  /** Compiles the functions that were read, when all is read. */
  private readonly unfinished: (() => void)[] = [];
  private at = 0;
  private depth = 0;

  /** @param names symbol → value */
  constructor(vm: Vm, bytes: string, names: Table | null) {
    this.vm = vm;
    this.bytes = bytes;
    this.names = names;
  }

  read(): Value {
    if (this.depth >= depthLimit) panic("stack overflow");
    this.depth++;
    this.vm.spend(1);
    const value = this.any();
    this.depth--;
    if (this.depth === 0) for (const finish of this.unfinished.splice(0)) finish();
    return value;
  }

  /** The counterpart of {@link Marshaller.begins}: what was made before, which `is` must know, or what `make` makes now. */
  begun<T extends object>(make: () => T, fill: (made: T) => void, is: (value: unknown) => value is T): T {
    if (this.byte() === lead.reference) {
      const number = this.count();
      const made = this.seen[number];
      return is(made) ? made : panic(`invalid reference ${number}`);
    }
    const made = make();
    this.seen.push(made);
    fill(made);
    return made;
  }

  count(): number {
    let count = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      count += (byte % 128) * factor;
      if (byte < 128) return count;
      factor *= 128;
      if (factor > Number.MAX_SAFE_INTEGER) this.end();
    }
  }

  private any(): Value {
    const begin = this.at;
    const first = this.byte();
    if (first < 128) return first;
    switch (first) {
      case lead.integer: {
        const count = this.count();
        return count % 2 === 1 ? -(count + 1) / 2 : count / 2;
      }
      case lead.double:
        for (let at = 0; at < 8; at++) double.setUint8(at, this.byte());
        return double.getFloat64(0);
      case lead.nil:
        return null;
      case lead.false:
        return false;
      case lead.true:
        return true;
      case lead.string:
        return this.text();
      case lead.symbol:
        return sym(this.text());
      case lead.keyword:
        return kw(this.text());
      case lead.array: {
        const array = this.remember(new JArray());
        this.items(array.items);
        return array;
      }
      case lead.tuple:
      case lead.bracketTuple: {
        const items: Value[] = [];
        this.items(items);
        return this.remember(new Tuple(items, first === lead.bracketTuple));
      }
      case lead.table:
      case lead.tableWithProto:
        return this.table(first === lead.tableWithProto);
      case lead.struct:
      case lead.structWithProto:
        return this.remember(this.struct(first === lead.structWithProto));
      case lead.buffer: {
        const buffer = this.remember(new JBuffer());
        buffer.pushString(this.text());
        return buffer;
      }
      case lead.native:
        return this.remember(this.native());
      case lead.closure:
        return this.closure();
      case lead.fiber:
        return this.fiber();
      case lead.abstract:
        return this.remember(this.abstract());
      case lead.registry: {
        const name = sym(this.text());
        return this.names?.get(name) ?? null;
      }
      case lead.reference: {
        const number = this.count();
        if (number >= this.seen.length) panic(`invalid reference ${number}`);
        return this.seen[number] as Value;
      }
      default:
        return panic(`unknown byte ${first.toString(16)} at index ${begin}`);
    }
  }

  private remember<T>(value: T): T {
    this.seen.push(value);
    return value;
  }

  private byte(): number {
    if (this.at >= this.bytes.length) this.end();
    return this.bytes.charCodeAt(this.at++);
  }

  private end(): never {
    panic("unexpected end of source");
  }

  /** A count of things that take a byte each at least. */
  private size(): number {
    const size = this.count();
    return size <= this.bytes.length - this.at ? size : this.end();
  }

  private text(): string {
    const size = this.size();
    this.at += size;
    return this.bytes.slice(this.at - size, this.at);
  }

  private items(items: Value[]): void {
    for (let left = this.size(); left > 0; left--) items.push(this.read());
  }

  private table(withProto: boolean): Table {
    const table = this.remember(new Table());
    const size = this.size();
    if (withProto) {
      const proto = this.read();
      table.proto = proto instanceof Table ? proto : null;
    }
    for (let left = size; left > 0; left--) {
      const key = this.read();
      const value = this.read();
      if (key !== null && !Number.isNaN(key)) table.put(key, value);
    }
    return table;
  }

  private struct(withProto: boolean): Struct {
    const struct = new Struct();
    const size = this.size();
    if (withProto) {
      const proto = this.read();
      struct.proto = proto instanceof Struct ? proto : null;
    }
    for (let left = size; left > 0; left--) {
      const key = this.read();
      struct.put(key, this.read());
    }
    return struct;
  }

  private native(): Value {
    const entry = this.vm.core.get(sym(this.text()));
    return entry instanceof Table ? entry.get(kw("value")) : null;
  }

  private abstract(): Abstract {
    const name = this.text();
    const codec = codecOf(name);
    return codec ? codec.read(this.read(), this.vm) : panic(`unknown abstract type ${name}`);
  }

  private closure(): Closure {
    const closure = this.remember(emptyClosure());
    this.unfinished.push(readClosure(this, closure, this.vm));
    return closure;
  }

  private fiber(): Fiber {
    const number = this.seen.length;
    this.seen.push(null);
    const fn = this.read();
    const mask = this.read();
    if (!(fn instanceof Closure || fn instanceof Native) || typeof mask !== "number")
      return panic("invalid fiber in marshalled bytes");
    const fiber = new Fiber(fn, mask);
    this.seen[number] = fiber;
    const env = this.read();
    fiber.env = env instanceof Table ? env : null;
    fiber.status = this.read() === true ? "new" : "dead";
    fiber.last = this.read();
    return fiber;
  }
}
