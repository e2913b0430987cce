/** One press: a key, and what is held with it. */
export interface Chord {
  ctrl: boolean;
  /** Option on a Mac. */
  alt: boolean;
  shift: boolean;
  /** The command key of a Mac. Plugins have no word for it. */
  cmd: boolean;
  /** A name of {@link keyNames}, `f1` to `f12`, or one sign in lower case. */
  key: string;
}

export const keyNames = [
  "enter",
  "esc",
  "tab",
  "backspace",
  "delete",
  "insert",
  "space",
  "up",
  "down",
  "left",
  "right",
  "home",
  "end",
  "pageup",
  "pagedown",
] as const;

/** What plugins and people also write for them. */
const otherNames: Readonly<Record<string, string>> = {
  return: "enter",
  escape: "esc",
  bs: "backspace",
  del: "delete",
  ins: "insert",
  pgup: "pageup",
  pgdn: "pagedown",
};

const modifiers: Readonly<Record<string, "ctrl" | "alt" | "shift" | "cmd">> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  meta: "alt",
  option: "alt",
  shift: "shift",
  cmd: "cmd",
};
const beginsWithModifier = /^(ctrl|control|alt|meta|option|shift|cmd)[-+](?=.)/su;

/** The most characters and the most presses that one key may have. */
const longest = 100;
const mostPresses = 4;

/**
 * Reads one press: modifiers, then a key, with `-` or `+` between, in any case (`Ctrl+Shift+K`, `ctrl--`).
 * @param own the text is the person's or the app's, which may name the command key
 * @returns null when it is none
 */
export function readChord(text: string, own = false): Chord | null {
  const chord: Chord = { ctrl: false, alt: false, shift: false, cmd: false, key: "" };
  let rest = text.trim().toLowerCase();
  if (rest.length > longest) return null;
  for (let found = beginsWithModifier.exec(rest); found; found = beginsWithModifier.exec(rest)) {
    const modifier = modifiers[found[1] ?? ""];
    if (modifier === undefined || (modifier === "cmd" && !own)) return null;
    chord[modifier] = true;
    rest = rest.slice(found[0].length);
  }
  if (rest === "backtab") return { ...chord, shift: true, key: "tab" };
  const key = keyOf(rest);
  return key === null ? null : { ...chord, key };
}

function keyOf(text: string): string | null {
  if (Object.hasOwn(otherNames, text)) return otherNames[text] ?? null;
  if (keyNames.some((name) => name === text) || /^f(?:[1-9]|1[0-2])$/.test(text)) return text;
  // A sign is what a press can write: no half of one, no space, nothing that cannot be seen.
  return [...text].length === 1 && /^[^\p{C}\p{Z}\p{M}]$/u.test(text) ? text : null;
}

/**
 * Reads one press, or several that follow each other with white space between (`ctrl-x ctrl-s`).
 * @returns null when one of them is none, or there is none or more than four
 */
export function readKeys(text: string, own = false): Chord[] | null {
  const parts = text.trim().split(/\s+/u);
  if (parts.length > mostPresses) return null;
  const chords: Chord[] = [];
  for (const part of parts) {
    const chord = readChord(part, own);
    if (chord === null) return null;
    chords.push(chord);
  }
  return chords;
}

/** The one text for a press, with which it can be compared: `ctrl-alt-shift-k`. */
export function chordText({ ctrl, alt, shift, cmd, key }: Chord): string {
  return `${ctrl ? "ctrl-" : ""}${alt ? "alt-" : ""}${shift ? "shift-" : ""}${cmd ? "cmd-" : ""}${key}`;
}

export function keysText(chords: readonly Chord[]): string {
  return chords.map(chordText).join(" ");
}

/** The word for a modifier or a named key. */
export type KeyWord = (name: "ctrl" | "alt" | "shift" | (typeof keyNames)[number]) => string;

/** Keys as a person reads them: `Ctrl+Shift+K`, on a Mac `⌃⇧K`. Keys that cannot be read are shown as they are. */
export function keysLabel(text: string, word: KeyWord, mac: boolean): string {
  const chords = readKeys(text, true);
  return chords === null ? text : chords.map((chord) => chordLabel(chord, word, mac)).join(" ");
}

function chordLabel({ ctrl, alt, shift, cmd, key }: Chord, word: KeyWord, mac: boolean): string {
  const name = keyNames.find((known) => known === key);
  const shown = name ? word(name) : key.toUpperCase();
  if (mac) return `${ctrl ? "⌃" : ""}${alt ? "⌥" : ""}${shift ? "⇧" : ""}${cmd ? "⌘" : ""}${shown}`;
  const held = [ctrl && word("ctrl"), alt && word("alt"), shift && word("shift"), cmd && "Cmd"];
  return [...held.filter((one) => one !== false), shown].join("+");
}
