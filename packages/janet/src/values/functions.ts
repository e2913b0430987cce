import type { Signal } from "../vm/signal.ts";
import type { Vm } from "../vm/vm.ts";
import type { Value } from "./value.ts";

/** A call under way. It yields a {@link Signal} when it suspends, is resumed with a value, and returns its result. */
export type Call = Generator<Signal, Value, Value>;

/**
 * A function written in TypeScript. `cfunction` and `function` differ as in Janet: in `type`, in how they print, and in the words
 * of arity errors. Exactly one of `run` and `gen` is set: `run` never suspends and calls no Janet function; `gen` may.
 */
export class Native {
  readonly kind: "cfunction" | "function";
  readonly name: string;
  readonly min: number;
  /** `Infinity`: any number. */
  readonly max: number;
  readonly run: ((args: Value[], vm: Vm) => Value) | null;
  readonly gen: ((args: Value[], vm: Vm) => Call) | null;
  constructor(
    kind: Native["kind"],
    name: string,
    min: number,
    max: number,
    run: Native["run"],
    gen: Native["gen"],
  ) {
    this.kind = kind;
    this.name = name;
    this.min = min;
    this.max = max;
    this.run = run;
    this.gen = gen;
  }
}

/** What the compiler made of a `fn` form, shared by all closures of it. */
export interface Prototype {
  /** Empty: it has none. */
  readonly name: string;
  readonly min: number;
  /** `Infinity`: takes any number of arguments (`&`, `&keys`, `&named`). */
  readonly max: number;
  /** The file or other source that it was compiled from; null: unknown. */
  readonly source: string | null;
  readonly line: number;
  readonly column: number;
}

/** A function written in Janet. `start` begins a call with checked arity; the compiler makes it. */
export class Closure {
  readonly prototype: Prototype;
  readonly start: (self: Closure, args: Value[], vm: Vm) => Call;
  /** What it holds of the scopes around it. Cells are shared between closures. */
  readonly captured: unknown[];
  constructor(prototype: Prototype, start: Closure["start"], captured: unknown[]) {
    this.prototype = prototype;
    this.start = start;
    this.captured = captured;
  }
}
