import { expect, test } from "vitest";
import { type Measure, measure, splitText } from "./split.ts";

test.each<[string, number, Measure, string[]]>([
  ["short", 10, "chars", ["short"]],
  ["", 10, "chars", []],
  ["first part\n\nsecond part", 15, "chars", ["first part", "second part"]],
  ["line one\nline two\nline three", 18, "chars", ["line one\nline two", "line three"]],
  ["some words that go on", 12, "chars", ["some words", "that go on"]],
  ["abcdefghij", 4, "chars", ["abcd", "efgh", "ij"]],
  ["ääää", 4, "bytes", ["ää", "ää"]],
  ["😀😀😀", 2, "code points", ["😀😀", "😀"]],
  ["a\r\nb", 10, "chars", ["a\nb"]],
])("%j in messages of %d %s", (text, limit, unit, pieces) => {
  expect(splitText(text, limit, unit)).toEqual(pieces);
});

test("no grapheme is torn apart", () => {
  const family = "👨‍👩‍👧‍👦";
  const pieces = splitText(family.repeat(6), 30, "chars");
  expect(pieces.join("")).toBe(family.repeat(6));
  for (const piece of pieces) expect(piece.length % family.length).toBe(0);
});

test("a code fence that is open at a cut is closed and opened again, with its language", () => {
  const code = Array.from({ length: 12 }, (_, line) => `  line(${line});`).join("\n");
  const pieces = splitText(`Look:\n\`\`\`js\n${code}\n\`\`\`\nDone.`, 80, "chars");
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(80);
    expect((piece.match(/^```/gm) ?? []).length % 2).toBe(0);
  }
  expect(pieces.slice(1, -1).every((piece) => piece.startsWith("```js\n  line("))).toBe(true);
  const lines = pieces.join("\n").match(/ {2}line\(\d+\);/g);
  expect(lines).toEqual(code.split("\n"));
});

test("the pieces of a text that grows stay the same but for the last", () => {
  const text = Array.from({ length: 400 }, (_, word) => `word${word}${word % 17 === 0 ? "\n\n" : " "}`).join(
    "",
  );
  const whole = splitText(text, 100, "chars");
  for (let length = 1; length < text.length; length += 37) {
    const done = splitText(text.slice(0, length), 100, "chars").slice(0, -1);
    expect(whole.slice(0, done.length)).toEqual(done);
  }
});

test("any text is whole in its pieces, and each fits", () => {
  const alphabet = ["a", " ", "\n", "ü", "😀", "```\n", "e\u0301", "x".repeat(30)];
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed;
  };
  for (let round = 0; round < 200; round += 1) {
    const text = Array.from({ length: random() % 200 }, () => alphabet[random() % alphabet.length]).join("");
    for (const unit of ["chars", "bytes", "code points"] as const) {
      const pieces = splitText(text, 60, unit);
      for (const piece of pieces) expect(measure(piece, unit)).toBeLessThanOrEqual(60);
      const letters = (part: string) => part.replace(/[\s`]/g, "");
      expect(letters(pieces.join(""))).toBe(letters(text));
    }
  }
});
