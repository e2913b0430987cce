import { describe, expect, it } from "vitest";
import { chordText, keyNames, keysLabel, keysText, readChord, readKeys } from "./chord.ts";
import { type KeyPress, pressedChords } from "./key-press.ts";
import { reservedWhy } from "./reserved.ts";

const read = (text: string, own = false) => {
  const chord = readChord(text, own);
  return chord && chordText(chord);
};

describe("the grammar of keys", () => {
  it.each([
    ["ctrl-g", "ctrl-g"],
    ["CTRL+G", "ctrl-g"],
    ["Control-Shift+k", "ctrl-shift-k"],
    ["shift-ctrl-k", "ctrl-shift-k"],
    ["meta-x", "alt-x"],
    ["option+x", "alt-x"],
    ["f1", "f1"],
    ["shift-F12", "shift-f12"],
    ["return", "enter"],
    ["Escape", "esc"],
    ["backtab", "shift-tab"],
    ["bs", "backspace"],
    ["del", "delete"],
    ["ins", "insert"],
    ["ctrl-space", "ctrl-space"],
    ["alt-pgup", "alt-pageup"],
    ["pgdn", "pagedown"],
    ["ctrl--", "ctrl--"],
    ["ctrl-+", "ctrl-+"],
    ["ctrl++", "ctrl-+"],
    ["-", "-"],
    ["+", "+"],
    ["ü", "ü"],
    ["?", "?"],
    ["  ctrl-a ", "ctrl-a"],
  ])("reads %s", (text, said) => expect(read(text)).toBe(said));

  it.each([
    "",
    " ",
    "ctrl",
    "ctrl-",
    "f0",
    "f01",
    "f13",
    "hyper-a",
    "cmd-a",
    "ctrl-ab",
    "a-b",
    "ctrl-x ctrl-s",
    "\u0007",
    "\u0301",
    "constructor",
    "ctrl-__proto__",
    `ctrl-${"a".repeat(200)}`,
  ])("does not take %j for a key", (text) => expect(read(text)).toBeNull());

  it("knows the command key where the person or the app names it", () => {
    expect(read("cmd-k", true)).toBe("cmd-k");
  });

  it("reads keys that follow each other", () => {
    expect(keysText(readKeys(" Ctrl+X   ctrl-s ") ?? [])).toBe("ctrl-x ctrl-s");
    expect(readKeys("ctrl-x nonsense")).toBeNull();
    expect(readKeys("a b c d e")).toBeNull();
    expect(readKeys("")).toBeNull();
  });

  it("reads again what it wrote, whatever it was given", () => {
    const parts = [
      "ctrl",
      "alt",
      "shift",
      "meta",
      "-",
      "+",
      " ",
      "a",
      "Ä",
      "f7",
      "tab",
      "pgup",
      "\n",
      "🙂",
      "\0",
      "ß",
    ];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    let valid = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: next(7) }, () => parts[next(parts.length)] ?? "").join("");
      const chords = readKeys(text);
      if (chords === null) continue;
      valid += 1;
      const written = keysText(chords);
      expect(keysText(readKeys(written) ?? [])).toBe(written);
    }
    expect(valid).toBeGreaterThan(500);
  });
});

describe("a press", () => {
  const press = (key: string, code: string, held: string[] = []): KeyPress => ({
    key,
    code,
    ctrlKey: held.includes("ctrl"),
    altKey: held.includes("alt"),
    shiftKey: held.includes("shift"),
    metaKey: held.includes("cmd"),
    getModifierState: (name) => name === "AltGraph" && held.includes("altgr"),
  });

  it("is the chord with exactly its modifiers", () => {
    expect(pressedChords(press("g", "KeyG", ["ctrl"]), false)).toEqual(["ctrl-g"]);
    expect(pressedChords(press("K", "KeyK", ["ctrl", "shift"]), false)).toEqual(["ctrl-shift-k"]);
    expect(pressedChords(press("F5", "F5", ["alt"]), false)).toEqual(["alt-f5"]);
    expect(pressedChords(press(" ", "Space", ["ctrl"]), false)).toEqual(["ctrl-space"]);
    expect(pressedChords(press("Tab", "Tab", ["shift"]), false)).toEqual(["shift-tab"]);
  });

  it("is nothing while only a modifier is held", () => {
    expect(pressedChords(press("Control", "ControlLeft", ["ctrl"]), false)).toEqual([]);
    expect(pressedChords(press("Dead", "Backquote"), false)).toEqual([]);
    expect(pressedChords(press("F13", "F13"), false)).toEqual([]);
  });

  it("is a sign, with or without the Shift that it needs", () => {
    expect(pressedChords(press("?", "Slash", ["shift"]), false)).toEqual(["?", "shift-?", "shift-/"]);
    expect(pressedChords(press("!", "Digit1", ["ctrl", "shift"]), false)).toContain("ctrl-shift-1");
  });

  it("is what the right Alt key writes, without modifiers", () => {
    expect(pressedChords(press("@", "KeyQ", ["ctrl", "alt", "altgr"]), false)).toEqual(["@"]);
  });

  it("is the plain key where Option on a Mac writes another sign", () => {
    expect(pressedChords(press("˚", "KeyK", ["alt"]), true)[0]).toBe("alt-k");
    expect(pressedChords(press("Dead", "KeyE", ["alt"]), true)).toEqual(["alt-e"]);
    expect(pressedChords(press("k", "KeyK", ["cmd"]), true)).toEqual(["cmd-k"]);
    expect(pressedChords(press("g", "KeyG", ["ctrl"]), true)).toEqual(["ctrl-g"]);
  });

  it("is the plain key on keyboards without Latin letters", () => {
    expect(pressedChords(press("л", "KeyK", ["ctrl"]), false)[0]).toBe("ctrl-k");
    expect(pressedChords(press("л", "KeyK"), false)).toEqual(["л"]);
  });
});

describe("a key in the person's words", () => {
  const words = (name: string) =>
    name.length < 4 ? name.toUpperCase() : `${name[0]?.toUpperCase()}${name.slice(1)}`;

  it("is written as keyboards have it", () => {
    expect(keysLabel("shift-ctrl-k", words, false)).toBe("Ctrl+Shift+K");
    expect(keysLabel("ctrl-x ctrl-s", words, false)).toBe("Ctrl+X Ctrl+S");
    expect(keysLabel("ctrl-shift-k", words, true)).toBe("⌃⇧K");
    expect(keysLabel("cmd-k", words, true)).toBe("⌘K");
    expect(keysLabel("no key", words, false)).toBe("no key");
  });

  it("has a word for each named key", () => {
    for (const name of keyNames) expect(keysLabel(name, words, false)).toBe(words(name));
  });
});

describe("keys that nobody can have", () => {
  it.each([
    ["ctrl-c", "copy"],
    ["esc", "stop"],
    ["ctrl-esc", "stop"],
    ["backtab", "focus"],
    ["ctrl-w", "system"],
    ["alt-f4", "system"],
    ["ctrl-g", null],
    ["ctrl-shift-c", null],
  ])("%s: %s", (text, why) => {
    const chord = readChord(text);
    expect(chord && reservedWhy(chord)).toBe(why);
  });
});
