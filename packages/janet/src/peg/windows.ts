import { type Frame, frameKind } from "./frame.ts";
import type { Matcher } from "./matcher.ts";
import * as op from "./program.ts";

/** The instructions that look elsewhere, search, or narrow down what can be matched. False: it fails. */
export function windowStep(matcher: Matcher, what: number, at: number): boolean {
  const { code } = matcher.program;
  const a = code[at + 1] as number;
  switch (what) {
    case op.SEARCH: {
      const frame = matcher.push(frameKind.search, at + op.width);
      frame.aux = matcher.position;
      return true;
    }
    case op.FOUND: {
      const frame = matcher.pop();
      if (a === 0) matcher.restore(frame);
      return true;
    }
    case op.LOOK: {
      matcher.push(frameKind.mark, 0);
      matcher.position += a;
      return matcher.position >= 0 && matcher.position <= matcher.end;
    }
    case op.LOOK_END:
      matcher.position = matcher.pop().position;
      return true;
    case op.LENGTH:
      return length(matcher, a);
    case op.NARROW: {
      const frame = matcher.top();
      frame.aux = matcher.position;
      matcher.end = matcher.position;
      matcher.position = frame.position;
      return true;
    }
    case op.NARROW_BEFORE: {
      const frame = matcher.top();
      const behind = matcher.position;
      const begin = frame.aux;
      matcher.restore(frame);
      matcher.end = frame.position;
      matcher.position = begin;
      frame.kind = frameKind.mark;
      frame.aux = behind;
      return true;
    }
    case op.NARROW_END: {
      const frame = matcher.pop();
      matcher.position = frame.aux;
      matcher.end = frame.end;
      return true;
    }
    case op.SPLIT: {
      const frame = matcher.push(frameKind.split, at + op.width);
      // Where the pattern of the parts is.
      frame.lo = a;
      frame.aux = matcher.position;
      return true;
    }
    case op.SPLIT_FOUND: {
      const frame = matcher.top();
      const behind = matcher.position;
      matcher.restore(frame);
      return part(matcher, frame, frame.position, behind);
    }
    default:
      return nextPart(matcher, a);
  }
}

/** The pattern of a search did not match at the frame's position; whether there is another one to try. */
export function searchFailed(matcher: Matcher, frame: Frame): boolean {
  frame.position++;
  matcher.position = frame.position;
  return frame.position <= frame.end;
}

/** The separator was not at the frame's position: tries the next, or takes the rest as the last part. */
export function splitFailed(matcher: Matcher, frame: Frame): boolean {
  frame.position++;
  if (frame.position > frame.end) return part(matcher, frame, frame.end, frame.end + 1);
  matcher.position = frame.position;
  return matcher.goTo(frame.address);
}

/** Matches the part of a split that ends before `end`; the next begins at `next`. */
function part(matcher: Matcher, frame: Frame, end: number, next: number): boolean {
  matcher.position = frame.aux;
  matcher.end = end;
  frame.kind = frameKind.mark;
  frame.aux = next;
  return matcher.goTo(frame.lo);
}

function nextPart(matcher: Matcher, separator: number): boolean {
  const frame = matcher.top();
  matcher.end = frame.end;
  if (frame.aux > frame.end) {
    matcher.position = frame.end;
    matcher.pop();
    return true;
  }
  matcher.position = frame.aux;
  frame.position = frame.aux;
  frame.kind = frameKind.split;
  matcher.captures.save(frame);
  return matcher.goTo(separator);
}

function length(matcher: Matcher, behind: number): boolean {
  const frame = matcher.pop();
  const count = matcher.captures.values[frame.captures];
  matcher.captures.restore(frame);
  if (typeof count !== "number" || count !== (count | 0)) return false;
  return matcher.beginRepeat(behind, count, Math.max(count, 0));
}
