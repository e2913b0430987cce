import { show } from "../../print/describe.ts";
import { kw, sym } from "../../values/names.ts";
import { Tuple } from "../../values/sequences.ts";
import { bytesOf } from "../../values/types.ts";
import type { Value } from "../../values/value.ts";
import { panic } from "../../vm/janet-error.ts";
import type { Vm } from "../../vm/vm.ts";
import { bytesAt, bytesPart, indexedAt, integerAt } from "../arguments.ts";
import type { Registrar } from "../registrar.ts";
import { makeBytes, makeItems } from "./limits.ts";

const ANY = Number.POSITIVE_INFINITY;
const WHITESPACE = "\t\n\v\f\r ";

/** `string/*` without searching, which is in string-search.ts, and without `string/format`. */
export function install(core: Registrar): void {
  core.cfun(
    "string/slice",
    1,
    3,
    "(string/slice bytes &opt start end)",
    "A part of a byte sequence as a string, from start up to but without end; negative positions count from past the end.",
    bytesPart,
  );
  core.cfun(
    "symbol/slice",
    1,
    3,
    "(symbol/slice bytes &opt start end)",
    "As `string/slice`, but gives a symbol.",
    (args) => sym(bytesPart(args)),
  );
  core.cfun(
    "keyword/slice",
    1,
    3,
    "(keyword/slice bytes &opt start end)",
    "As `string/slice`, but gives a keyword.",
    (args) => kw(bytesPart(args)),
  );
  core.cfun("string/repeat", 2, 2, "(string/repeat bytes n)", "The bytes n times over.", (args, vm) => {
    const bytes = bytesAt(args, 0);
    const count = integerAt(args, 1);
    if (count < 0) panic("expected non-negative number of repetitions");
    makeBytes(vm, bytes.length * count);
    return bytes.repeat(count);
  });
  core.cfun("string/bytes", 1, 1, "(string/bytes str)", "A tuple of the bytes as integers.", (args, vm) => {
    const bytes = bytesAt(args, 0);
    makeItems(vm, bytes.length);
    return new Tuple(Array.from(bytes, (byte) => byte.charCodeAt(0)));
  });
  core.cfun(
    "string/from-bytes",
    0,
    ANY,
    "(string/from-bytes & byte-vals)",
    "A string of bytes given as integers; only their lowest eight bits count.",
    (args) => args.map((_, at) => String.fromCharCode(integerAt(args, at) & 0xff)).join(""),
  );
  core.cfun(
    "string/ascii-lower",
    1,
    1,
    "(string/ascii-lower str)",
    "Turns the letters A to Z into small ones.",
    (args) => bytesAt(args, 0).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  );
  core.cfun(
    "string/ascii-upper",
    1,
    1,
    "(string/ascii-upper str)",
    "Turns the letters a to z into capital ones.",
    (args) => bytesAt(args, 0).replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  );
  core.cfun("string/reverse", 1, 1, "(string/reverse str)", "The bytes in reverse order.", (args) =>
    bytesAt(args, 0).split("").reverse().join(""),
  );
  core.cfun(
    "string/has-prefix?",
    2,
    2,
    "(string/has-prefix? prefix str)",
    "Whether str begins with prefix.",
    (args) => {
      const prefix = bytesAt(args, 0);
      return bytesAt(args, 1).startsWith(prefix);
    },
  );
  core.cfun(
    "string/has-suffix?",
    2,
    2,
    "(string/has-suffix? suffix str)",
    "Whether str ends with suffix.",
    (args) => {
      const suffix = bytesAt(args, 0);
      return bytesAt(args, 1).endsWith(suffix);
    },
  );
  core.cfun(
    "string/check-set",
    2,
    2,
    "(string/check-set set str)",
    "Whether every byte of str is one of set.",
    (args) => {
      const set = new Set(bytesAt(args, 0));
      return bytesAt(args, 1)
        .split("")
        .every((byte) => set.has(byte));
    },
  );
  core.cfun(
    "string/join",
    1,
    2,
    "(string/join parts &opt sep)",
    "One string of several, with sep between them.",
    join,
  );
  const trims = [
    ["string/trim", "Takes whitespace, or the bytes of set, off both ends.", true, true],
    ["string/triml", "Takes whitespace, or the bytes of set, off the beginning.", true, false],
    ["string/trimr", "Takes whitespace, or the bytes of set, off the end.", false, true],
  ] as const;
  for (const [name, doc, left, right] of trims)
    core.cfun(name, 1, 2, `(${name} str &opt set)`, doc, (args) => trim(args, left, right));
}

function join(args: Value[], vm: Vm): string {
  const parts = indexedAt(args, 0);
  const separator = args.length > 1 ? bytesAt(args, 1) : "";
  const texts = parts.map(
    (part, at) => bytesOf(part) ?? panic(`item ${at} of parts is not a byte sequence, got ${show(part)}`),
  );
  makeBytes(
    vm,
    texts.reduce((count, { length }) => count + length + separator.length, 0),
  );
  return texts.join(separator);
}

function trim(args: Value[], left: boolean, right: boolean): string {
  const bytes = bytesAt(args, 0);
  const set = args.length > 1 ? bytesAt(args, 1) : WHITESPACE;
  let start = 0;
  let end = bytes.length;
  if (left) while (start < end && set.includes(bytes[start] as string)) start++;
  if (right) while (end > start && set.includes(bytes[end - 1] as string)) end--;
  return bytes.slice(start, end);
}
