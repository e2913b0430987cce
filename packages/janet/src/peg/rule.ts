import type { Value } from "../values/value.ts";

/** What is done with what a pattern matched or captured. All but `error` and `drop` may carry a tag. */
export type Wrapping =
  | "capture"
  | "number"
  | "group"
  | "accumulate"
  | "replace"
  | "cmt"
  | "cms"
  | "nth"
  | "only-tags"
  | "drop"
  | "unref"
  | "error";

/** A pattern as a tree. `tag` is 0 for none. Numbers of bytes and repetitions are whole; `hi` may be Infinity. */
export type Rule =
  | { readonly kind: "yes" | "no" | "debug" }
  | { readonly kind: "any" | "not-any"; readonly count: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "set"; readonly set: ByteSet }
  | { readonly kind: "sequence" | "choice"; readonly rules: readonly Rule[] }
  | {
      readonly kind: "if" | "if-not" | "lenprefix" | "sub" | "til" | "split";
      readonly first: Rule;
      readonly second: Rule;
    }
  | { readonly kind: "not" | "to" | "thru"; readonly rule: Rule }
  | { readonly kind: "look"; readonly offset: number; readonly rule: Rule }
  | { readonly kind: "repeat"; readonly lo: number; readonly hi: number; readonly rule: Rule }
  /** `number` is the base of `number` (0: as read), and the index of `nth`; `value` what `replace`, `cmt` and `cms` use. */
  | {
      readonly kind: "wrap";
      readonly how: Wrapping;
      readonly rule: Rule;
      readonly tag: number;
      readonly number: number;
      readonly value: Value;
    }
  | { readonly kind: "position" | "line" | "column"; readonly tag: number }
  | { readonly kind: "constant"; readonly value: Value; readonly tag: number }
  | { readonly kind: "argument"; readonly index: number; readonly tag: number }
  | { readonly kind: "backref"; readonly wanted: number; readonly tag: number }
  | { readonly kind: "backmatch"; readonly wanted: number }
  | {
      readonly kind: "integer";
      readonly width: number;
      readonly signed: boolean;
      readonly bigEndian: boolean;
      readonly tag: number;
    }
  | { readonly kind: "shared"; readonly shared: SharedRule };

/** A rule that may be used in several places and within itself. */
export interface SharedRule {
  /** Null while it is being read. */
  rule: Rule | null;
  uses: number;
}

/** 1 at each byte that belongs to it. */
export type ByteSet = Uint8Array;

export function setOf(bytes: string): ByteSet {
  const set = new Uint8Array(256);
  for (let at = 0; at < bytes.length; at++) set[bytes.charCodeAt(at)] = 1;
  return set;
}

export function setOfRanges(ranges: readonly string[]): ByteSet {
  const set = new Uint8Array(256);
  for (const range of ranges) set.fill(1, range.charCodeAt(0), range.charCodeAt(1) + 1);
  return set;
}
