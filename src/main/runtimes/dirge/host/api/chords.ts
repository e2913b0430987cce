/** Names of keys that are no single sign, each with its other names. */
const named: Readonly<Record<string, string>> = {
  enter: "enter",
  return: "enter",
  esc: "esc",
  escape: "esc",
  tab: "tab",
  backtab: "backtab",
  backspace: "backspace",
  bs: "backspace",
  delete: "delete",
  del: "delete",
  insert: "insert",
  ins: "insert",
  space: "space",
  up: "up",
  down: "down",
  left: "left",
  right: "right",
  home: "home",
  end: "end",
  pageup: "pageup",
  pgup: "pageup",
  pagedown: "pagedown",
  pgdn: "pagedown",
};
const modifiers: Readonly<Record<string, "ctrl" | "alt" | "shift">> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  meta: "alt",
  option: "alt",
  shift: "shift",
};

/**
 * Reads one chord: modifiers, then a key, with `-` or `+` between. Case does not matter.
 * @returns the chord in one form, such as `ctrl-shift-f5`; null when it is none
 */
export function readChord(text: string): string | null {
  const parts = text
    .trim()
    .toLowerCase()
    .split(/[-+](?=.)/);
  const key = parts.pop();
  if (key === undefined || key === "") return null;
  const held = new Set<string>();
  for (const part of parts) {
    const modifier = Object.hasOwn(modifiers, part) ? modifiers[part] : undefined;
    if (modifier === undefined) return null;
    held.add(modifier);
  }
  const name = keyOf(key);
  if (name === null) return null;
  if (name === "backtab") held.add("shift");
  const order = ["ctrl", "alt", "shift"].filter((one) => held.has(one));
  return [...order, name === "backtab" ? "tab" : name].join("-");
}

function keyOf(key: string): string | null {
  if (Object.hasOwn(named, key)) return named[key] ?? null;
  if (/^f(?:[1-9]|1[0-2])$/.test(key)) return key;
  return [...key].length === 1 && key.trim() !== "" ? key : null;
}
