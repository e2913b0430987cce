import { Closure, Native } from "../values/functions.ts";
import { JArray, Tuple } from "../values/sequences.ts";
import { Struct, Table } from "../values/tables.ts";
import { truthy, type Value } from "../values/value.ts";
import { JanetError, panic } from "../vm/janet-error.ts";
import type { Matcher } from "./matcher.ts";
import { scanInBase } from "./numbers.ts";
import * as op from "./program.ts";

/** The end of a wrapper: makes of what was matched and captured since its mark what it stands for. False: it fails. */
export function endWrapper(matcher: Matcher, what: number, at: number): boolean {
  const { captures, program } = matcher;
  const tag = program.code[at + 1] as number;
  const number = program.code[at + 2] as number;
  const frame = matcher.pop();
  switch (what) {
    case op.CAPTURE:
      captures.push(matcher.text.slice(frame.position, matcher.position), tag);
      return true;
    case op.NUMBER: {
      const text = matcher.text.slice(frame.position, matcher.position);
      const read = scanInBase(text, number);
      if (read === undefined) return false;
      captures.pushNumber(read, text, tag);
      return true;
    }
    case op.GROUP: {
      const group = new JArray(captures.since(frame));
      captures.dropValues(frame);
      captures.accumulating = frame.mode === 1;
      captures.push(group, tag);
      return true;
    }
    case op.ACCUMULATE: {
      // Inside of another one, the pieces are that one's too.
      if (frame.mode === 1 && tag === 0) return true;
      const text = captures.accumulatedSince(frame);
      captures.dropValues(frame);
      captures.accumulating = frame.mode === 1;
      captures.push(text, tag);
      return true;
    }
    case op.NTH: {
      const value = captures.values[frame.captures + number];
      captures.dropValues(frame);
      captures.accumulating = frame.mode === 1;
      if (value === undefined) return false;
      captures.push(value, tag);
      return true;
    }
    case op.ONLY_TAGS:
      captures.dropValues(frame);
      return true;
    case op.DROP:
      captures.restore(frame);
      return true;
    case op.UNREF:
      captures.dropTags(frame, tag);
      return true;
    default: {
      if (captures.values.length > frame.captures) throw new JanetError(captures.values.at(-1) as Value);
      const { line, column } = matcher.placeOf(frame.position);
      return panic(`match error at line ${line}, column ${column}`);
    }
  }
}

/** Begins the end of `replace`, `cmt` or `cms`: gives the function to call, or null when there is none and all is done. */
export function replacement(matcher: Matcher, at: number): Value {
  const { constants, code } = matcher.program;
  const by = constants[code[at + 2] as number] as Value;
  if (by instanceof Closure || by instanceof Native) return by;
  let value: Value = by;
  if (by instanceof Struct || by instanceof Table) {
    const { values } = matcher.captures;
    value = values.length > matcher.top().captures ? by.get(values.at(-1) as Value) : null;
  }
  finishReplacement(matcher, at, value);
  return null;
}

/** Ends `replace`, `cmt` or `cms` with the value that takes the captures' place. False: it fails. */
export function finishReplacement(matcher: Matcher, at: number, value: Value): boolean {
  const { captures, program } = matcher;
  const what = program.code[at] as number;
  const tag = program.code[at + 1] as number;
  const frame = matcher.pop();
  captures.dropValues(frame);
  captures.accumulating = frame.mode === 1;
  if (what !== op.REPLACE && !truthy(value)) return false;
  if (what === op.CMS && (value instanceof JArray || value instanceof Tuple))
    for (const item of value.items) captures.push(item, tag);
  else captures.push(value, tag);
  return true;
}
