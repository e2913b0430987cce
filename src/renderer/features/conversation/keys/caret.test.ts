import { expect, it } from "vitest";
import { type CaretMove, killedTo, moved } from "./caret.ts";

/** The caret stands where `|` is. */
const after = (drawn: string, move: CaretMove) => {
  const at = drawn.indexOf("|");
  const text = drawn.replace("|", "");
  const to = moved({ text, at }, move);
  return `${text.slice(0, to)}|${text.slice(to)}`;
};

it.each<[string, CaretMove, string]>([
  ["ab|c", "left", "a|bc"],
  ["|abc", "left", "|abc"],
  ["a|👩‍👩‍👧b", "right", "a👩‍👩‍👧|b"],
  ["a👩‍👩‍👧|b", "left", "a|👩‍👩‍👧b"],
  ["abc|", "right", "abc|"],
  ["one two,| three", "wordLeft", "one |two, three"],
  ["one|", "wordLeft", "|one"],
  ["one| two", "wordRight", "one two|"],
  ["grün|e Äpfel", "wordRight", "grüne| Äpfel"],
  ["one\ntw|o\nthree", "lineStart", "one\n|two\nthree"],
  ["one\ntw|o\nthree", "lineEnd", "one\ntwo|\nthree"],
  ["one\ntw|o", "lineUp", "on|e\ntwo"],
  ["a\nlong|er", "lineUp", "a|\nlonger"],
  ["on|e", "lineUp", "|one"],
  ["on|e\ntwo", "lineDown", "one\ntw|o"],
  ["longe|r\na\nb", "lineDown", "longer\na|\nb"],
  ["o|ne", "lineDown", "one|"],
  ["|", "wordLeft", "|"],
])("from %j %s leads to %j", (before, move, to) => expect(after(before, move)).toBe(to));

it("takes the end of the line where nothing else is left of it", () => {
  expect(killedTo({ text: "ab\ncd", at: 1 }, "lineEnd")).toBe(2);
  expect(killedTo({ text: "ab\ncd", at: 2 }, "lineEnd")).toBe(3);
  expect(killedTo({ text: "ab", at: 2 }, "lineEnd")).toBe(2);
});
