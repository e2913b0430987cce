import { kw, sym } from "../values/names.ts";
import { Tuple } from "../values/sequences.ts";
import { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";

const form = (head: string, ...args: Value[]) => new Tuple([sym(head), ...args]);

const classes: readonly (readonly [name: string, pattern: Tuple])[] = [
  ["d", form("range", "09")],
  ["a", form("range", "az", "AZ")],
  ["s", form("set", " \t\r\n\0\f\v")],
  ["w", form("range", "az", "AZ", "09")],
  ["h", form("range", "09", "af", "AF")],
];

/** The rules that every grammar may use: `:d`, all bytes but these as `:D`, and each with `+` and `*`. */
export function defaultGrammar(): Table {
  const grammar = new Table();
  const add = (name: string, pattern: Tuple) => {
    grammar.put(kw(name), pattern);
    grammar.put(kw(`${name}+`), form("some", kw(name)));
    grammar.put(kw(`${name}*`), form("any", kw(name)));
  };
  for (const [name, pattern] of classes) {
    add(name, pattern);
    add(name.toUpperCase(), form("if-not", kw(name), 1));
  }
  return grammar;
}
