import { JArray, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { State, StateKind } from "./state.ts";

/** What closes a collection. */
export const closings: Partial<Record<StateKind, string>> = { parens: ")", brackets: "]", braces: "}" };

/** The names for which prefixes stand: 'x is (quote x). */
export const prefixNames: Record<string, string> = {
  "'": "quote",
  ",": "unquote",
  ";": "splice",
  "|": "short-fn",
  "~": "quasiquote",
};

/** The value of a collection whose end was read; braces hold an even number of items. */
export function collectionOf({ kind, items, mutable }: State): Value {
  if (kind !== "braces") return mutable ? new JArray(items) : new Tuple(items, kind === "brackets");
  const dictionary = mutable ? new Table() : new Struct();
  for (let at = 0; at < items.length; at += 2) {
    const key = items[at] as Value;
    if (key !== null && !Number.isNaN(key)) dictionary.put(key, items[at + 1] as Value);
  }
  return dictionary;
}
