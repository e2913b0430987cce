import { makeS64, makeU64, s64Type, u64Type } from "../core/math/int64.ts";
import { Random, rngType } from "../core/math/random.ts";
import { compileWith, pegType } from "../peg/peg.ts";
import type { Program } from "../peg/program.ts";
import { Abstract } from "../values/abstract.ts";
import { kw } from "../values/names.ts";
import { Tuple } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import { isInt32 } from "../values/types.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import type { Vm } from "../vm/vm.ts";

/** How values of an abstract type become plain ones and back. */
interface Codec<Data> {
  write(data: Data, vm: Vm): Value;
  read(value: Value, vm: Vm): Abstract<Data>;
}

const codecs = new Map<string, Codec<unknown>>();

/** Makes values of an abstract type ones that can be marshalled. */
export function addCodec<Data>(typeName: string, codec: Codec<Data>): void {
  codecs.set(typeName, codec as unknown as Codec<unknown>);
}

export function codecOf(typeName: string): Codec<unknown> | undefined {
  return codecs.get(typeName);
}

for (const type of [s64Type, u64Type]) {
  addCodec<bigint>(type.name, {
    write: (data) => String(data),
    read: (value) => {
      if (typeof value !== "string" || !/^-?\d{1,20}$/.test(value)) return damaged();
      return type === s64Type ? makeS64(BigInt(value)) : makeU64(BigInt(value));
    },
  });
}

addCodec<Random>(rngType.name, {
  write: ({ state }) => new Tuple(state),
  read(value) {
    const random = new Random("");
    if (!(value instanceof Tuple) || !value.items.every(isInt32)) return damaged();
    random.state = value.items.map(Number);
    return new Abstract(rngType, random);
  },
});

// A peg is compiled again from its grammar.
addCodec<Program>(pegType.name, {
  write: ({ grammar, defaults }, vm) =>
    new Tuple([grammar, defaults === null ? false : defaults === coreGrammar(vm) ? true : defaults]),
  read(value, vm) {
    if (!(value instanceof Tuple)) return damaged();
    const [grammar = null, written = null] = value.items;
    const defaults = written === true ? coreGrammar(vm) : written instanceof Table ? written : null;
    return new Abstract(pegType, compileWith(grammar, defaults));
  },
});

function coreGrammar(vm: Vm): Table | null {
  const grammar = vm.core.get(kw("peg-grammar"));
  return grammar instanceof Table ? grammar : null;
}

function damaged(): never {
  return panic("invalid abstract value in marshalled bytes");
}
