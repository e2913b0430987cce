import { type Chord, chordText } from "./chord.ts";

/** What a browser tells of a press; its `KeyboardEvent` is one. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
  getModifierState?(key: string): boolean;
}

const named: Readonly<Record<string, string>> = {
  Enter: "enter",
  Escape: "esc",
  Tab: "tab",
  Backspace: "backspace",
  Delete: "delete",
  Insert: "insert",
  " ": "space",
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "home",
  End: "end",
  PageUp: "pageup",
  PageDown: "pagedown",
};

/** What keys write on an American keyboard, for layouts that write something else with a modifier. */
const plainSigns: Readonly<Record<string, string>> = {
  Minus: "-",
  Equal: "=",
  BracketLeft: "[",
  BracketRight: "]",
  Backslash: "\\",
  Semicolon: ";",
  Quote: "'",
  Backquote: "`",
  Comma: ",",
  Period: ".",
  Slash: "/",
};

/**
 * What was pressed, as texts of `chordText`, the likeliest first. Several, because `?` is also Shift and the key of `/`, and
 * because keyboards that write no Latin letters are to reach keys that are named by them. Empty: only a modifier was pressed.
 */
export function pressedChords(press: KeyPress, mac: boolean): string[] {
  // The right Alt key of many keyboards writes signs, and is told as Ctrl and Alt together.
  const writes = !mac && press.getModifierState?.("AltGraph") === true;
  const held = {
    ctrl: press.ctrlKey && !writes,
    alt: press.altKey && !writes,
    shift: press.shiftKey,
    cmd: press.metaKey,
  };
  const name = Object.hasOwn(named, press.key) ? named[press.key] : functionKey(press.key);
  if (name !== undefined) return [chordText({ ...held, key: name })];
  const typed = press.key.toLowerCase();
  const base = plainKey(press.code);
  const keys = [...press.key].length === 1 ? [typed] : [];
  const isForeign = held.ctrl || held.alt || held.cmd ? !/^[\x21-\x7e]$/.test(typed) : false;
  // Option on a Mac writes another sign, or none.
  if (base !== null && ((mac && held.alt) || isForeign)) keys.unshift(base);
  const texts = keys.flatMap((key) => chordsWith(held, key, base));
  return [...new Set(texts)];
}

/** What is recorded when the person presses a key to choose it; null for a modifier alone. */
export function recordedChord(press: KeyPress, mac: boolean): string | null {
  return pressedChords(press, mac)[0] ?? null;
}

function chordsWith(held: Omit<Chord, "key">, key: string, base: string | null): string[] {
  const isLetter = key.toUpperCase() !== key;
  if (isLetter || !held.shift) return [chordText({ ...held, key })];
  // Which signs need Shift depends on the keyboard, so the sign alone is enough.
  const shifted = [
    { ...held, shift: false, key },
    { ...held, key },
  ];
  if (base !== null && base !== key) shifted.push({ ...held, key: base });
  return shifted.map(chordText);
}

function functionKey(key: string): string | undefined {
  return /^F(?:[1-9]|1[0-2])$/.test(key) ? key.toLowerCase() : undefined;
}

function plainKey(code: string): string | null {
  const letter = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(code);
  if (letter) return (letter[1] ?? letter[2] ?? "").toLowerCase();
  return Object.hasOwn(plainSigns, code) ? (plainSigns[code] ?? null) : null;
}
