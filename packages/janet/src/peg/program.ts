import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { ByteSet } from "./rule.ts";

/**
 * A compiled pattern: instructions for the machine in matcher.ts. Each takes four places in `code`: what to do (a constant below) and
 * up to three numbers. Places in the code are called addresses.
 */
export interface Program extends Instructions {
  /** What it was compiled from. */
  readonly grammar: Value;
  readonly defaults: Table | null;
}

export interface Instructions {
  readonly code: Int32Array;
  readonly texts: readonly string[];
  readonly sets: readonly ByteSet[];
  readonly constants: readonly Value[];
  /** Whether captures are looked up by their tags, and so must be remembered with them. */
  readonly backrefs: boolean;
}

export const width = 4;

// Tests of the bytes at the position. They advance, or fail.
export const TEXT = 0; // text
export const SET = 1; // set
/** As many bytes of a set as there are, but at most `hi`; fails under `lo`. `hi` of -1: any number. */
export const SPAN = 2; // set, lo, hi
export const ANY = 3; // count
export const NOT_ANY = 4; // count
export const FAIL = 5;
/** Goes to where a text begins (`past` 0) or ends (1). */
export const FIND = 6; // text, past

// The way through the code.
export const JUMP = 7; // address
export const CALL = 8; // address
export const RETURN = 9;
export const END = 10;
/** Goes on at the address with all as it was when what follows fails, up to its {@link COMMIT}. */
export const CHOICE = 11; // address
/** Ends a choice: what it kept is forgotten. */
export const COMMIT = 12; // address
/** Ends a choice that must not succeed. */
export const FAIL_TWICE = 13;
/** What follows up to {@link AGAIN} is matched `lo` to `hi` times; then the address. `hi` of -1: any number. */
export const REPEAT = 14; // address, lo, hi
export const AGAIN = 15; // address of the body

// Looking elsewhere, searching, narrowing down.
/** What follows is tried at each position from here on. */
export const SEARCH = 16;
/** Ends a search: before what was found (0), or behind it (1). */
export const FOUND = 17; // past
export const LOOK = 18; // offset
export const LOOK_END = 19;
/** Reads the count that was captured and repeats what follows as often, up to {@link AGAIN}. */
export const LENGTH = 20; // address behind
/** What follows sees only what was matched since the mark, up to {@link NARROW_END}. */
export const NARROW = 21;
/** The same for what lies before what a search found. */
export const NARROW_BEFORE = 22;
export const NARROW_END = 23;
export const SPLIT = 24; // address of the part's pattern
export const SPLIT_FOUND = 25;
export const SPLIT_NEXT = 26; // address of the separator

// What a wrapper keeps until its end: position, captures, mode. Then the ends.
export const MARK = 27; // mode to go on with; -1: as it is
export const CAPTURE = 28; // tag
export const NUMBER = 29; // tag, base
export const GROUP = 30; // tag
export const ACCUMULATE = 31; // tag
export const NTH = 32; // tag, index
export const ONLY_TAGS = 33;
export const DROP = 34;
export const UNREF = 35; // tag
export const ERROR = 36;
export const REPLACE = 37; // tag, constant
export const CMT = 38; // tag, constant
export const CMS = 39; // tag, constant

// Captures out of nothing, and comparisons with captures.
export const POSITION = 40; // tag
export const LINE = 41; // tag
export const COLUMN = 42; // tag
export const CONSTANT = 43; // tag, constant
export const ARGUMENT = 44; // tag, index
export const BACKREF = 45; // tag, wanted
export const BACKMATCH = 46; // wanted
export const INTEGER = 47; // tag, width, 1: signed + 2: big endian
export const DEBUG = 48;
