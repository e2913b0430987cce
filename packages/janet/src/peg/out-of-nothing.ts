import { show } from "../print/describe.ts";
import type { Matcher } from "./matcher.ts";
import { readInteger } from "./numbers.ts";
import * as op from "./program.ts";

/** The instructions that capture something that is not made of other captures, or compare with captures. False: it fails. */
export function pushCapture(matcher: Matcher, what: number, at: number): boolean {
  const { captures, program, text } = matcher;
  const a = program.code[at + 1] as number;
  const b = program.code[at + 2] as number;
  switch (what) {
    case op.POSITION:
      captures.push(matcher.position, a);
      return true;
    case op.LINE:
      captures.push(matcher.placeOf(matcher.position).line, a);
      return true;
    case op.COLUMN:
      captures.push(matcher.placeOf(matcher.position).column, a);
      return true;
    case op.CONSTANT:
      captures.push(program.constants[b] ?? null, a);
      return true;
    case op.ARGUMENT:
      captures.push(matcher.extra[b] ?? null, a);
      return true;
    case op.BACKREF: {
      const value = captures.find(b);
      if (value === undefined) return false;
      captures.push(value, a);
      return true;
    }
    case op.BACKMATCH: {
      const wanted = captures.find(a);
      if (typeof wanted !== "string" || matcher.position + wanted.length > matcher.end) return false;
      if (!text.startsWith(wanted, matcher.position)) return false;
      matcher.position += wanted.length;
      return true;
    }
    case op.INTEGER: {
      if (matcher.position + b > matcher.end) return false;
      const bytes = text.slice(matcher.position, matcher.position + b);
      captures.push(readInteger(bytes, program.code[at + 3] as number), a);
      matcher.position += b;
      return true;
    }
    default:
      debug(matcher);
      return true;
  }
}

/** Tells standard error where the match is and what it has captured. */
function debug(matcher: Matcher): void {
  const { captures, position, text, end } = matcher;
  const lines = [`?? at [${text.slice(position, end)}] (index ${position})`];
  if (captures.scratch.length > 0) lines.push(`accumulate buffer: ${show(captures.scratch.join(""))}`);
  lines.push(`stack [${captures.values.length}]:`);
  captures.values.forEach((value, at) => {
    lines.push(`  [${at}]: ${show(value)}`);
  });
  matcher.vm.host.stderr(`${lines.join("\n")}\n`);
}

/** Line and column of a position, counted from 1. */
export function placeOf(text: string, position: number): { line: number; column: number } {
  let line = 1;
  let begin = 0;
  for (;;) {
    const newline = text.indexOf("\n", begin);
    if (newline < 0 || newline >= position) return { line, column: position - begin + 1 };
    line++;
    begin = newline + 1;
  }
}
