import type { Call, Closure, Native } from "../values/functions.ts";
import type { Table } from "../values/tables.ts";
import type { Value } from "../values/value.ts";
import type { Frame } from "./code.ts";
import type { TraceLine } from "./janet-error.ts";

export type FiberStatus =
  | "new"
  | "alive"
  | "pending"
  | "suspended"
  | "dead"
  | "error"
  | "debug"
  | "interrupted"
  | `user${number}`;

/** A Janet fiber. `vm/fibers.ts` makes and resumes them. */
export class Fiber {
  readonly fn: Closure | Native;
  /** Bit n is set when signal n stops here. */
  mask: number;
  status: FiberStatus = "new";
  /** Its dynamic bindings; null: none yet. */
  env: Table | null = null;
  /** What it last signalled or returned. */
  last: Value = null;
  call: Call | null = null;
  /** The fiber that it resumed and that has not come back. */
  child: Fiber | null = null;
  /** It waits for something outside of Janet, so nobody may resume it. */
  waiting = false;
  trace: TraceLine[] = [];
  /** How deep its calls stood when it stopped. */
  depth = 0;
  /** Its innermost running call, when it has stopped. */
  top: Frame | null = null;
  maxStack = 0;
  constructor(fn: Closure | Native, mask: number) {
    this.fn = fn;
    this.mask = mask;
  }
}
