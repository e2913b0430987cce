import { type Chord, chordText } from "./chord.ts";

/**
 * Why nobody can have a key. `copy`: it copies; `stop`: it closes and stops; `focus`: it leads from one control to the next;
 * `system`: the browser or the desktop keeps it and the app never sees it.
 */
export type ReservedWhy = "copy" | "stop" | "focus" | "system";

const ofSystem = new Set([
  ...["w", "t", "n"].flatMap((key) => [`ctrl-${key}`, `ctrl-shift-${key}`, `cmd-${key}`, `shift-cmd-${key}`]),
  ...[
    "ctrl-tab",
    "ctrl-shift-tab",
    "ctrl-pageup",
    "ctrl-pagedown",
    "ctrl-q",
    "ctrl-shift-q",
    "ctrl-alt-delete",
  ],
  ...[
    "alt-f4",
    "alt-tab",
    "alt-shift-tab",
    "alt-space",
    "cmd-q",
    "cmd-h",
    "cmd-m",
    "cmd-tab",
    "shift-cmd-tab",
  ],
]);

/** Why the app does not give a key away; null when it may be taken. */
export function reservedWhy(chord: Chord): ReservedWhy | null {
  const text = chordText(chord);
  if (chord.key === "esc") return "stop";
  if (text === "ctrl-c" || text === "cmd-c") return "copy";
  if (text === "tab" || text === "shift-tab") return "focus";
  return ofSystem.has(text) ? "system" : null;
}

/** Whether a press writes something or moves in a text, which it goes on doing where a person writes. */
export function isTyped({ ctrl, alt, cmd, key }: Chord): boolean {
  return !ctrl && !alt && !cmd && !/^f\d+$/.test(key) && key !== "insert";
}
