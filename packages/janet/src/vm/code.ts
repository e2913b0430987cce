import type { Prototype } from "../values/functions.ts";
import type { Sym } from "../values/names.ts";
import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Step } from "./step.ts";

/**
 * One running call: what its closure captured, the position of its last call, the frame of the call around it in the same fiber,
 * the closure, then its locals.
 */
// biome-ignore lint/suspicious/noExplicitAny: a slot holds a value, or a cell when it is a var
export type Frame = any[];
export const CAPTURED = 0;
export const POSITION = 1;
export const PARENT = 2;
export const CLOSURE = 3;
export const FIRST_SLOT = 4;

/** What a body gives instead of a value: the function in `vm.tailCallee` is to be called in its place. */
export const TAIL = { tail: true } as unknown as Value;
/** What a body or a part of it gives when a `break` ends it. */
export const BREAK = { break: true } as unknown as Value;

/** A `break` from where no statement can pass {@link BREAK} on. */
export class BreakThrown {}

/** The code of a function, shared by its closures. */
export class Code implements Prototype {
  name = "";
  min = 0;
  max = 0;
  source: string | null = null;
  line = -1;
  column = -1;
  /** Parameters in their slots, without the rest. */
  positional = 0;
  /** How arguments beyond them are bound, in the slot after them. */
  rest: "none" | "tuple" | "struct" | "ignored" = "none";
  /** The slot of the function itself; -1: it does not name itself. */
  self = -1;
  size = FIRST_SLOT;
  /** It is a whole form, which is called in the place of what runs it. */
  isThunk = false;
  body: (frame: Frame) => Step = () => null;
  /** What it was compiled from, so that it can be marshalled; null for what is no `fn` form. */
  origin: Origin | null = null;
}

/** All that is needed to compile a function again elsewhere. */
export interface Origin {
  readonly form: Value;
  /** The names that it captures, in the order of a closure's `captured`. */
  readonly captures: readonly { readonly name: Sym; readonly mutable: boolean }[];
  /** What its global names meant, but for those of the core. */
  readonly bindings: ReadonlyMap<Sym, Table>;
  /** The C functions of the core that it uses. */
  readonly cfunctions: ReadonlySet<Value>;
}
