import { expect, test } from "vitest";
import { type Block, GrowingText, parseMarkdown } from "./growing-text.ts";

/** The blocks without their positions, which count from the beginning of the part that was parsed. */
const shape = (blocks: readonly Block[]) =>
  JSON.parse(JSON.stringify(blocks, (key, value) => (key === "position" ? undefined : value)));

const texts = {
  "a bit of everything":
    "# Plan\n\nSome *words*\nand more.\n\n- one\n- two\n\n  within two\n\n```js\na < b\n\nc\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\nlazily\n\nThe end",
  "a number that looks like a list": "- a\n1.5 is more\n\n1. one\n2.5 is not two",
  "a heading that shows late": "Title\n---\nText\n\n  indented\n\n    code\n\n    more code\n- a\n---\n",
  "a table below a sentence":
    "Look:\n| a | b |\n|---|---|\n| 1 | 2 |\nand after\n\n<div>\n*x*\n</div>\n\nend",
  "an address that comes last":
    "See [it] and [that].\n\nMore.\n\n[it]: https://example.com/a\n\nAnd [it] again.",
};

for (const [name, text] of Object.entries(texts))
  test(`every beginning of a text reads as if it were parsed whole: ${name}`, () => {
    const growing = new GrowingText();
    for (let length = 0; length <= text.length; length++) {
      const beginning = text.slice(0, length);
      expect(shape(growing.read(beginning)), JSON.stringify(beginning)).toEqual(
        shape(parseMarkdown(beginning)),
      );
    }
  });

test("finished blocks stay the same objects, and another text starts anew", () => {
  const growing = new GrowingText();
  const before = growing.read("# One\n\nTwo\n\nThr");
  const after = growing.read("# One\n\nTwo\n\nThree\n\nFo");
  expect(after[0]).toBe(before[0]);
  expect(growing.read("# One\n\nTwo\n\nThree\n\nFour")[2]).not.toBe(before[2]);
  expect(shape(growing.read("Else"))).toEqual(shape(parseMarkdown("Else")));
});
