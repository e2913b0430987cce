import { hexDigit, utf8Of } from "./chars.ts";
import type { State } from "./state.ts";

/** What a byte did: the string goes on, ends with it, has ended before it, or is wrong. */
export type StringStep = "more" | "end" | "ended" | { readonly error: string };

/** One byte of a string in quotes. */
export function stepString(state: State, byte: number): StringStep {
  switch (state.mode) {
    case "escape":
      return escaped(state, byte);
    case "hex":
    case "unicode":
      return digit(state, byte, state.mode);
  }
  if (byte === 34) return "end";
  if (byte === 92) state.mode = "escape";
  // A line's end in a string is not part of it.
  else if (byte !== 10 && byte !== 13) state.text += String.fromCharCode(byte);
  return "more";
}

function escaped(state: State, byte: number): StringStep {
  const char = String.fromCharCode(byte);
  if (char === "x" || char === "u" || char === "U") {
    state.mode = char === "x" ? "hex" : "unicode";
    state.count = 0;
    state.pending = char === "x" ? 2 : char === "u" ? 4 : 6;
    return "more";
  }
  const meant = escapes.get(char);
  if (meant === undefined) return { error: "invalid string escape sequence" };
  state.text += meant;
  state.mode = "inside";
  return "more";
}

function digit(state: State, byte: number, kind: "hex" | "unicode"): StringStep {
  const value = hexDigit(byte);
  if (value < 0) return { error: `invalid hex digit in ${kind} escape` };
  state.count = state.count * 16 + value;
  if (--state.pending > 0) return "more";
  if (state.count > 0x10_ffff) return { error: "invalid unicode codepoint" };
  state.text += kind === "hex" ? String.fromCharCode(state.count) : utf8Of(state.count);
  state.mode = "inside";
  return "more";
}

/** One byte of a string in backticks, after the first. It ends one byte after its last backtick: more of those could follow. */
export function stepLong(state: State, byte: number): StringStep {
  const tick = byte === 96;
  if (state.mode === "opening") {
    state.count++;
    if (tick) return "more";
    state.mode = "inside";
  } else if (state.mode === "closing") {
    if (state.pending === state.count) return "ended";
    if (tick) {
      state.pending++;
      return "more";
    }
    state.text += "`".repeat(state.pending);
    state.mode = "inside";
  } else if (tick) {
    state.mode = "closing";
    state.pending = 1;
    return "more";
  }
  state.text += String.fromCharCode(byte);
  return "more";
}

const escapes = new Map([
  ['"', '"'],
  ["'", "'"],
  ["?", "?"],
  ["\\", "\\"],
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["e", "\x1b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["z", "\0"],
]);
