import type { Value } from "../values/value.ts";

/** What a parser is in the middle of; `mac` is a prefix such as a quote. */
export type StateKind =
  | "root"
  | "parens"
  | "brackets"
  | "braces"
  | "mac"
  | "token"
  | "string"
  | "long"
  | "comment"
  | "at";

/** One open form of a parser. */
export interface State {
  kind: StateKind;
  /** Begun with `@`, so it becomes an array, table or buffer. */
  readonly mutable: boolean;
  /** Where it begins; the column is that of its first byte, from 1. */
  readonly line: number;
  readonly column: number;
  /** What a container holds so far. */
  items: Value[];
  /** What a token, string or comment holds so far. */
  text: string;
  /** `mac`: the byte of the prefix. */
  readonly prefix: string;
  /** `long`: how many backticks open it. `string`: the number that an escape has given so far. */
  count: number;
  /** `long`: how many backticks may be closing it. `string`: how many digits of an escape are to come. */
  pending: number;
  /** Where in a `string` or `long` the parser is. */
  mode: "opening" | "inside" | "closing" | "escape" | "hex" | "unicode";
}

export function newState(
  kind: StateKind,
  line: number,
  column: number,
  { mutable = false, prefix = "" } = {},
): State {
  const mode = kind === "long" ? "opening" : "inside";
  return { kind, mutable, line, column, items: [], text: "", prefix, count: 0, pending: 0, mode };
}

/** What opens a state, as the parser's errors and `parser/state` show it; empty for those without a delimiter. */
export function delimiterOf(state: State): string {
  switch (state.kind) {
    case "parens":
      return "(";
    case "brackets":
      return "[";
    case "braces":
      return "{";
    case "string":
      return '"';
    case "long":
      return "`".repeat(state.count);
    default:
      return "";
  }
}

/** Whether it holds values. */
export function isContainer(state: State): boolean {
  return (
    state.kind === "root" || state.kind === "parens" || state.kind === "brackets" || state.kind === "braces"
  );
}
