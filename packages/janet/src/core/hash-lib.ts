import { hashOf } from "../values/equality.ts";
import { Kw, Sym, sym } from "../values/names.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import { bytesAt, naturalAt, optional } from "./arguments.ts";
import type { Registrar } from "./registrar.ts";

function memcmp(args: Value[]): number {
  const a = bytesAt(args, 0);
  const b = bytesAt(args, 1);
  const length = optional(args, 2, naturalAt, Math.min(a.length, b.length));
  const fromA = optional(args, 3, naturalAt, 0);
  const fromB = optional(args, 4, naturalAt, 0);
  if (fromA + length > a.length) panic(`invalid offset-a: ${fromA}`);
  if (fromB + length > b.length) panic(`invalid offset-b: ${fromB}`);
  for (let at = 0; at < length; at++) {
    const difference = a.charCodeAt(fromA + at) - b.charCodeAt(fromB + at);
    if (difference !== 0) return difference;
  }
  return 0;
}

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
let generated = 0;

/** A name that nobody uses: `_00000a`. */
function gensym(): Value {
  let name = "";
  for (let rest = ++generated, at = 0; at < 6; at++, rest = Math.floor(rest / digits.length))
    name = digits.charAt(rest % digits.length) + name;
  return sym(`_${name}`);
}

/** `hash`, `memcmp` and `gensym`. */
export function install(core: Registrar): void {
  core.cfun(
    "hash",
    1,
    1,
    "(hash value)",
    "A 32-bit number that equal values share. It holds for one run only.",
    ([value = null]) => hashOf(value instanceof Sym || value instanceof Kw ? value.name : value),
  );
  core.cfun(
    "memcmp",
    2,
    5,
    "(memcmp a b &opt len offset-a offset-b)",
    "Compares bytes: 0 when they are equal, less when those of a come first, else more.",
    memcmp,
  );
  core.cfun("gensym", 0, 0, "(gensym)", "A new symbol that is used nowhere else, for macros.", gensym);
}
