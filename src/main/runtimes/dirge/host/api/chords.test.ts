import { expect, test } from "vitest";
import { readChord } from "./chords.ts";

test.each([
  ["ctrl-g", "ctrl-g"],
  ["Ctrl+Shift+F5", "ctrl-shift-f5"],
  ["shift-control-g", "ctrl-shift-g"],
  ["meta-x", "alt-x"],
  ["option+return", "alt-enter"],
  ["backtab", "shift-tab"],
  ["ctrl--", "ctrl--"],
  ["ctrl-+", "ctrl-+"],
  ["-", "-"],
  ["ü", "ü"],
  ["pgup", "pageup"],
  ["f12", "f12"],
  ["f13", null],
  ["f01", null],
  ["hyper-x", null],
  ["ctrl-", null],
  ["ctrl", null],
  ["word", null],
  ["", null],
  ["constructor", null],
])("%j is the chord %j", (text, chord) => {
  expect(readChord(text)).toBe(chord);
});
