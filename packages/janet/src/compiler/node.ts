import type { Value } from "../values/value.ts";
import type { Frame } from "../vm/code.ts";
import type { Step } from "../vm/step.ts";

/** What a form was compiled to. */
export interface Node {
  /** Runs it in the frame of a call. */
  readonly run: (frame: Frame) => Step;
  /** It never suspends: `run` gives a value at once, never a call. */
  readonly plain: boolean;
  /** Its value, when that is known before it runs. */
  readonly constant?: { readonly value: Value };
  /** Its value, an array or tuple, stands for its items. */
  readonly splice?: boolean;
  /** It may give {@link BREAK}. */
  readonly breaks?: boolean;
}

export function constant(value: Value): Node {
  return { run: () => value, plain: true, constant: { value } };
}

export const nil: Node = constant(null);

/** A plain node's value. */
export type Plain = (frame: Frame) => Value;

export function plain(run: Plain): Node {
  return { run, plain: true };
}

/** How a form stands in what is around it. */
export interface Place {
  /** Its value is what the function returns, so a call may be left to the caller. */
  readonly tail: boolean;
  /** What is around it passes {@link BREAK} on. */
  readonly flow: boolean;
  /** A splice may stand here. */
  readonly splice?: boolean;
}

/** In the middle of an expression. */
export const operand: Place = { tail: false, flow: false };
/** An argument of a call or a literal. */
export const item: Place = { tail: false, flow: false, splice: true };
/** A statement whose value is not used, or the value of a block that is one. */
export const statement: Place = { tail: false, flow: true };
