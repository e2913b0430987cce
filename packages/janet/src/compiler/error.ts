import { toText } from "../values/bytes.ts";
import type { Fiber } from "../vm/fiber.ts";

/** A form that cannot be compiled. `words` is what Janet says, in bytes. */
export class CompileError extends Error {
  readonly words: string;
  /** -1: the form has no position. */
  readonly line: number;
  readonly column: number;
  /** The fiber of the macro that failed. */
  readonly fiber: Fiber | null;
  constructor(words: string, line: number, column: number, fiber: Fiber | null = null) {
    super(toText(words));
    this.words = words;
    this.line = line;
    this.column = column;
    this.fiber = fiber;
  }
}
