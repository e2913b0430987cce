import { expect, test } from "vitest";
import { argumentsIn, promptLine } from "./prompt-line.ts";

const declared = [
  { name: "author", required: true },
  { name: "book", required: false },
  { name: "the tone", required: true },
];

test.each([
  ["author=Ada book=Notes", { author: "Ada", book: "Notes" }, ["the tone"]],
  ['"Ada Lovelace" book="On \\"engines\\""', { author: "Ada Lovelace", book: 'On "engines"' }, ["the tone"]],
  [
    'Ada Notes very kind "and short"',
    { author: "Ada", book: "Notes", "the tone": "very kind and short" },
    [],
  ],
  ['"the tone"=kind x=y', { author: "x=y", "the tone": "kind" }, []],
  ["author= book", { book: "book" }, ["author", "the tone"]],
  ['author="two\nlines"', { author: "two\nlines" }, ["the tone"]],
  ['author="open', { author: "open" }, ["the tone"]],
  ["", {}, ["author", "the tone"]],
])("reads %j", (text, args, missing) => {
  expect(argumentsIn(text, declared)).toEqual({ args, missing });
});

test.each([
  { author: "Ada" },
  { author: 'a "quoted" \\ word', "the tone": " blanks  and\nlines " },
  { author: "x=y", book: "=" },
])("what is written is read back: %j", (args) => {
  const line = promptLine("shelf:review", new Map(Object.entries(args)));
  expect(line.startsWith("/shelf:review ")).toBe(true);
  expect(argumentsIn(line.slice("/shelf:review ".length), declared).args).toEqual(args);
});

test("a name of everything's own is an argument like any other", () => {
  const { args } = argumentsIn("__proto__=a", [{ name: "__proto__", required: true }]);
  expect(Object.entries(args)).toEqual([["__proto__", "a"]]);
});
