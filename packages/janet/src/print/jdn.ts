import { isPlainName } from "../reader/token.ts";
import { Kw, Sym } from "../values/names.ts";
import { JArray, JBuffer, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import { panic } from "../vm/janet-error.ts";
import { show } from "./describe.ts";
import { newEffort } from "./effort.ts";
import { sortedPairs } from "./key-order.ts";
import { generalText } from "./numbers.ts";

const DEEPEST = 1_024;

/** A value as data that the reader gives back (`%j`). @throws JanetError for what has no such form: functions, cycles, odd names */
export function jdn(value: Value, depth = DEEPEST, effort = newEffort()): string {
  effort(1);
  if (depth === 0) return refuse();
  if (value === null || typeof value === "boolean" || typeof value === "string" || value instanceof JBuffer)
    return show(value);
  if (typeof value === "number") return Number.isFinite(value) ? generalText(value, 17) : refuse();
  if (value instanceof Sym || value instanceof Kw) return isPlainName(value) ? show(value) : refuse();
  const list = (items: readonly Value[]) => items.map((item) => jdn(item, depth - 1, effort)).join(" ");
  if (value instanceof JArray) return `@[${list(value.items)}]`;
  if (value instanceof Tuple) return value.bracketed ? `[${list(value.items)}]` : `(${list(value.items)})`;
  if (value instanceof Table) return `@{${list(sortedPairs(value).flat())}}`;
  if (value instanceof Struct) return `{${list(sortedPairs(value).flat())}}`;
  return refuse();
}

function refuse(): never {
  return panic("could not print to jdn format");
}
