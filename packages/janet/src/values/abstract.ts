import type { Vm } from "../vm/vm.ts";
import type { Value } from "./value.ts";

/** What the engine knows of a kind of abstract value. All but `name` may be absent. */
export interface AbstractType<Data> {
  /** As `type` gives it, for example `core/peg`. */
  readonly name: string;
  get?(data: Data, key: Value): Value | undefined;
  put?(data: Data, key: Value, value: Value): void;
  /** The key after `key`, from null to the first; null at the end. */
  next?(data: Data, key: Value): Value;
  length?(data: Data): number;
  /** Text between the brackets of `<name …>`; absent: an address. */
  show?(data: Data): string;
  equals?(a: Data, b: Data): boolean;
  /** Negative, 0, positive; for values of this one type. */
  compare?(a: Data, b: Data): number;
  hash?(data: Data): number;
  /** Takes what is printed to such a value (one char per byte); absent: nothing can be. */
  write?(data: Data, bytes: string, vm: Vm): void;
  /** Writes out what `write` holds back. */
  flush?(data: Data): void;
}

/** A value of a type that the library or a host brings: 64-bit integers, PEGs, files, channels, parsers. */
// biome-ignore lint/suspicious/noExplicitAny: a value of any type; who reads `data` has compared `type`
export class Abstract<Data = any> {
  readonly type: AbstractType<Data>;
  data: Data;
  constructor(type: AbstractType<Data>, data: Data) {
    this.type = type;
    this.data = data;
  }
}
