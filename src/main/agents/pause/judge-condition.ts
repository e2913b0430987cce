import type { Comparison, Condition, Operand } from "../../../contract/pauses/condition.ts";
import { briefly, TookTooLong } from "../../base/briefly.ts";

/** Milliseconds that one pattern may take on one text. */
const PATTERN_MS = 50;
/** Characters of a text that a pattern gets to see. */
const MOST_CHARACTERS = 100_000;

/** Whether a condition holds; `slow`: a pattern took too long, so that nothing can be said. */
export type Judgement = boolean | "slow";

/** Judges a condition about what a turn is stopped at. It reads and compares, and runs nothing. */
export function judgeCondition(condition: Condition, facts: Record<string, unknown>): Judgement {
  try {
    return holds(condition, facts);
  } catch (error) {
    if (error instanceof TookTooLong) return "slow";
    throw error;
  }
}

function holds(condition: Condition, facts: Record<string, unknown>): boolean {
  switch (condition.kind) {
    case "and":
      return holds(condition.left, facts) && holds(condition.right, facts);
    case "or":
      return holds(condition.left, facts) || holds(condition.right, facts);
    case "not":
      return !holds(condition.of, facts);
    case "is":
      return isThere(read(condition.of, facts));
    case "compare":
      return compare(condition.by, read(condition.left, facts), read(condition.right, facts));
    case "contains":
      return contains(read(condition.whole, facts), read(condition.part, facts));
    case "matches": {
      const value = read(condition.of, facts);
      if (value === undefined) return false;
      const text = textOf(value).slice(0, MOST_CHARACTERS);
      const pattern = new RegExp(condition.source, condition.flags);
      return briefly(PATTERN_MS, () => pattern.test(text), 4);
    }
  }
}

function read(operand: Operand, facts: Record<string, unknown>): unknown {
  if (operand.kind === "value") return operand.value;
  let value: unknown = facts;
  for (const part of operand.path) {
    // What every object has by itself is not a field of it.
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string | number, unknown>)[part];
  }
  return value;
}

function isThere(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
}

/** Null and a field that is not there are the same. Only two numbers, or two texts, are less or more than each other. */
function compare(by: Comparison, left: unknown, right: unknown): boolean {
  switch (by) {
    case "==":
      return isSame(left, right);
    case "!=":
      return !isSame(left, right);
    case "<":
      return isLess(left, right);
    case ">":
      return isLess(right, left);
    case "<=":
      return isSame(left, right) || isLess(left, right);
    case ">=":
      return isSame(left, right) || isLess(right, left);
  }
}

function isSame(left: unknown, right: unknown): boolean {
  return (left ?? null) === (right ?? null) || (typeof left === "object" && textOf(left) === textOf(right));
}

function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === "number" && typeof right === "number") return left < right;
  return typeof left === "string" && typeof right === "string" && left < right;
}

function contains(whole: unknown, part: unknown): boolean {
  if (whole === undefined || part === undefined) return false;
  if (Array.isArray(whole) && whole.some((one) => isSame(one, part))) return true;
  return textOf(whole).includes(textOf(part));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
