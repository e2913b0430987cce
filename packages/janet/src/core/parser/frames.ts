import { prefixNames } from "../../reader/collections.ts";
import { delimiterOf, isContainer, type State } from "../../reader/state.ts";
import { kw } from "../../values/names.ts";
import { JArray } from "../../values/sequences.ts";
import { type Table, tableOf } from "../../values/tables.ts";
import type { Value } from "../../values/value.ts";

/** An open form of a parser as `parser/state` gives it. */
export function frameOf(state: State): Table {
  const pairs: [Value, Value][] = [];
  if (isContainer(state)) pairs.push([kw("args"), new JArray([...state.items])]);
  pairs.push([kw("type"), kw(typeOf(state))]);
  if (!isContainer(state) && state.kind !== "mac" && state.kind !== "at")
    pairs.push([kw("buffer"), state.text]);
  pairs.push([kw("line"), state.line], [kw("column"), state.column]);
  return tableOf(pairs);
}

function typeOf(state: State): string {
  switch (state.kind) {
    case "parens":
    case "brackets":
      return state.mutable ? "array" : "tuple";
    case "braces":
      return state.mutable ? "table" : "struct";
    case "string":
    case "long":
      return state.mutable ? "buffer" : "string";
    case "mac":
      return state.prefix === "|" ? "<reader>" : (prefixNames[state.prefix] as string);
    default:
      return state.kind;
  }
}

/** The open delimiters, outermost first. */
export function delimitersOf(states: readonly State[]): string {
  return states.map(delimiterOf).join("");
}
