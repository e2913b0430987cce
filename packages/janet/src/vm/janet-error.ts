import { toText } from "../values/bytes.ts";
import type { Closure } from "../values/functions.ts";
import type { Value } from "../values/value.ts";
import type { Fiber } from "./fiber.ts";

/** A line of a stack trace, innermost first. */
export interface TraceLine {
  name: string;
  source: string | null;
  line: number;
  column: number;
  native: boolean;
  tail: boolean;
  closure?: Closure;
}

/** A Janet error under way, as a JS exception. `value` is the error value. */
export class JanetError extends Error {
  readonly value: Value;
  readonly trace: TraceLine[] = [];
  /** In which it arose. */
  fiber: Fiber | null = null;
  constructor(value: Value) {
    // Programs raise errors in the course of their work; the JS stack, which is dear, says nothing of them.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(typeof value === "string" ? toText(value) : "a Janet error");
    Error.stackTraceLimit = limit;
    this.value = value;
  }
}

/** The budget of steps or time of the running task is used up. No Janet code can catch it. */
export class Interrupted extends Error {}

/** Raises a Janet error with this text (bytes). */
export function panic(text: string): never {
  throw new JanetError(text);
}
