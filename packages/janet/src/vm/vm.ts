import type { Closure } from "../values/functions.ts";
import { type Kw, kw } from "../values/names.ts";
import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./code.ts";
import type { Fiber } from "./fiber.ts";
import type { Host } from "./host.ts";
import { Interrupted } from "./janet-error.ts";
import { Tasks } from "./tasks.ts";

/** The state of one running engine. Native functions are given it. */
export class Vm {
  /** The root environment: all core bindings, symbol → binding table. */
  readonly core: Table;
  host: Host;
  /** The fiber that runs now. */
  fiber: Fiber | null = null;
  /** The fiber with which the running task began. */
  root: Fiber | null = null;
  /** Steps until the next look at the clock (see {@link tick}). */
  fuel = 0;
  /** Steps that the running task may still make; `Infinity`: any number. */
  stepsLeft = Number.POSITIVE_INFINITY;
  /** When loops should pause, on the clock of `performance.now()`. */
  sliceEnd = Number.POSITIVE_INFINITY;
  /** Janet calls nested on the JS stack. */
  depth = 0;
  /** The innermost running call of the current fiber. */
  top: Frame | null = null;
  /** The tail call under way: what a function's body asked its caller to call next. */
  tailCallee: Closure | null = null;
  tailArgs: Value[] = [];
  /** What a `break` out of a function gives. */
  broken: Value = null;
  /** When the running task is interrupted, on the clock of `performance.now()`, in milliseconds. */
  deadline = Number.POSITIVE_INFINITY;

  /** Its event loop. */
  readonly tasks = new Tasks(this);

  constructor(core: Table, host: Host) {
    this.core = core;
    this.host = host;
  }

  /** A dynamic binding of the running fiber; null when there is none. */
  dyn(name: Kw | string): Value {
    return this.fiber?.env?.get(typeof name === "string" ? kw(name) : name) ?? null;
  }

  /** Counts work of a native function that may be long (a match, a sort). @throws Interrupted */
  spend(steps: number): void {
    this.fuel -= steps;
    if (this.fuel < 0) this.refuel();
  }

  /**
   * Called when {@link fuel} has run out. True: the code ran for long and should pause, if it can.
   * @throws Interrupted when the budget or the time of the task is used up
   */
  refuel(): boolean {
    this.stepsLeft += Math.min(this.fuel, 0);
    const now = performance.now();
    if (this.stepsLeft <= 0 || now > this.deadline) throw new Interrupted();
    this.fuel = Math.min(FUEL, this.stepsLeft);
    this.stepsLeft -= this.fuel;
    return now > this.sliceEnd;
  }

  /** Begins a slice of work, after which loops pause. */
  beginSlice(): void {
    this.sliceEnd = performance.now() + SLICE;
  }
}

/** Steps between two looks at the clock. */
export const FUEL = 1_000;
/** Milliseconds of work without a pause. */
const SLICE = 10;
