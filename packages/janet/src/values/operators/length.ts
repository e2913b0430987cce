import type { Vm } from "../../vm/vm.ts";
import { Abstract } from "../abstract.ts";
import { kw } from "../names.ts";
import { JArray, Tuple } from "../sequences.ts";
import { Struct, Table } from "../tables.ts";
import type { Value } from "../value.ts";
import { byteLength, notLengthable } from "./access.ts";
import { ownMethod } from "./methods.ts";

const lengthMethod = kw("length");

/** `length`. An abstract value may answer with a method. */
export function lengthOf(value: Value, vm: Vm): Value {
  if (value instanceof JArray || value instanceof Tuple) return value.items.length;
  if (value instanceof Table || value instanceof Struct) return value.size;
  if (value instanceof Abstract)
    return value.type.length ? value.type.length(value.data) : ownMethod(vm, lengthMethod, [value]);
  const length = byteLength(value);
  return length >= 0 ? length : notLengthable(value);
}
