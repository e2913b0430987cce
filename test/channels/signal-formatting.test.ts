import { type MarkdownDialect, renderMarkdown } from "@patchbay/plugin-sdk/channel";
import { describe, expect, it, test } from "vitest";
import { toStyled } from "../../plugins/signal/src/formatting.ts";
import { type Style, styledText } from "../../plugins/signal/src/styled-text.ts";
import { parseStyled } from "../support/platforms/signal/styled.ts";

/** The bridge's own tests of its parser, with what it makes of each. */
test.each([
  ["*italic*", "italic", ["0:6:ITALIC"]],
  [
    "This is a **bold** and *italic* message",
    "This is a bold and italic message",
    ["10:4:BOLD", "19:6:ITALIC"],
  ],
  ["A ~struck~ and a `fixed` word", "A struck and a fixed word", ["2:6:STRIKETHROUGH", "15:5:MONOSPACE"]],
  ["👋🏾**abcdefg**", "👋🏾abcdefg", ["4:7:BOLD"]],
  ["||**bold in a spoiler**||", "bold in a spoiler", ["0:17:BOLD", "0:17:SPOILER"]],
  ["\\*escaped\\*", "*escaped*", []],
  ["\\**escaped\\**", "**escaped**", []],
  ["Test \\** \\* \\~ Escape", "Test ** * ~ Escape", []],
  ["a | b \\| c || d", "a | b | c  d", []],
  ["C:\\dir\\\\*", "C:\\dir\\*", []],
  ["~ alone", " alone", []],
])("the stand-in for the bridge reads %s as the bridge does", (message, text, styles) => {
  const read = parseStyled(message);
  expect(read.text).toBe(text);
  expect(read.styles.map(({ start, length, style }) => `${start}:${length}:${style}`)).toEqual(styles);
});

/** What a phone shows of Markdown, with the words in each style. */
function shown(markdown: string): { text: string; styled: string[] } {
  const { text, styles } = parseStyled(toStyled(markdown));
  const styled = styles.map(({ start, length, style }) => `${style} ${text.slice(start, start + length)}`);
  return { text, styled };
}

describe("on Signal", () => {
  it.each([
    ["`rm -rf ~/old/*`", "rm -rf ~/old/*", ["MONOSPACE rm -rf ~/old/*"]],
    ["a `` `quoted` `` word", "a `quoted` word", ["MONOSPACE `quoted`"]],
    [
      "```sh\nls ~/*.txt | sort || true\n\necho \\* `date`\n```",
      "ls ~/*.txt | sort || true\n\necho \\* `date`",
      ["MONOSPACE ls ~/*.txt | sort || true\n\necho \\* `date`"],
    ],
    ["2 \\* 3 * 4 ~ 5", "2 * 3 * 4 ~ 5", []],
    ["C:\\Users\\ada and a\\\\b", "C:\\Users\\ada and a\\b", []],
    [
      "**bold** and *italic*, ~~struck~~",
      "bold and italic, struck",
      ["BOLD bold", "ITALIC italic", "STRIKETHROUGH struck"],
    ],
    ["**2\\***", "2*", ["BOLD 2"]],
    ["**`C:\\`**", "C:\\", ["MONOSPACE C:", "BOLD C:"]],
    ["`C:\\dir\\` is it", "C:\\dir\\ is it", ["MONOSPACE C:\\dir"]],
    ["***both***", "both", ["BOLD both"]],
    ["# A **great** day", "A great day", ["BOLD A great day"]],
    ["[docs](https://x.example/~ada_*)", "docs (https://x.example/~ada_*)", []],
    ["> said\n> before", "> said\n> before", []],
    ["- one\n  - two\n    - `three`", "• one\n  • two\n    • three", ["MONOSPACE three"]],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "a  b\n1  2", ["MONOSPACE a  b\n1  2"]],
  ])("%s arrives exactly", (markdown, text, styled) => {
    expect(shown(markdown)).toEqual({ text, styled });
  });

  it("runs of any styles beside each other arrive letter by letter", () => {
    const random = randomOf(6);
    const all: Style[] = ["bold", "italic", "struck", "fixed"];
    for (let round = 0; round < 20_000; round += 1) {
      const runs = Array.from({ length: 1 + Math.floor(random() * 5) }, () => ({
        text: textOf(random, "ab\\\\**~`||\n", 1 + Math.floor(random() * 4)),
        styles: new Set(all.filter(() => random() < 0.3)),
      }));
      expect(parseStyled(styledText(runs)).text).toBe(runs.map(({ text }) => text).join(""));
    }
  });

  it("styles reach the letters that have them", () => {
    const run = (text: string, ...styles: Style[]) => ({ text, styles: new Set(styles) });
    const read = (...runs: Parameters<typeof styledText>[0][number][]) =>
      parseStyled(styledText(runs)).styles;
    expect(read(run("one", "bold"), run("two"), run("three", "italic"))).toEqual([
      { start: 0, length: 3, style: "BOLD" },
      { start: 6, length: 5, style: "ITALIC" },
    ]);
    expect(read(run("one", "bold", "struck"))).toEqual([
      { start: 0, length: 3, style: "BOLD" },
      { start: 0, length: 3, style: "STRIKETHROUGH" },
    ]);
    // A single star that closes and two that open would be read as two and one.
    expect(read(run("one", "italic"), run("two", "bold"))).toEqual([{ start: 3, length: 3, style: "BOLD" }]);
  });

  it("code arrives letter by letter, whatever is in it", () => {
    const random = randomOf(7);
    for (let round = 0; round < 3_000; round += 1) {
      const code = textOf(random, "ab \\\\**~`||\n/", 1 + Math.floor(random() * 12)).replace(/`{3,}/g, "``");
      const { text } = shown(`\`\`\`\`\n${code}\n\`\`\`\``);
      expect(text).toBe(code);
    }
  });

  it("text with marks beside each other arrives letter by letter, styled or not", () => {
    const random = randomOf(8);
    const marks = ["**", "*", "~~", "`"];
    for (let round = 0; round < 5_000; round += 1) {
      const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
        const word = `x${textOf(random, "a1\\|", Math.floor(random() * 3))}`;
        const mark = random() < 0.6 ? (marks[Math.floor(random() * marks.length)] ?? "") : "";
        return { mark, word };
      });
      // A word that is put between blanks and ends in a letter is read as Markdown means it, whatever is before it.
      const markdown = parts.map(({ mark, word }) => `${mark}${escaped(word, mark)}y${mark}`).join(" ");
      expect(shown(markdown).text).toBe(parts.map(({ word }) => `${word}y`).join(" "));
    }
  });

  it("no text loses a letter on the way through the bridge", () => {
    const random = randomOf(9);
    for (let round = 0; round < 20_000; round += 1) {
      const plain = textOf(random, "a \\*~`|_#>-[](!)\n", Math.floor(random() * 16));
      // What the renderer means to show, with all marks of Signal left away, is what arrives.
      expect(shown(plain).text).toBe(plainOf(plain));
    }
  });
});

/** The same Markdown on a platform without any styles. */
const plainOf = (markdown: string) => renderMarkdown(markdown, plain);
const asItIs = (text: string) => text;
const plain: MarkdownDialect = {
  text: asItIs,
  bold: asItIs,
  italic: asItIs,
  strike: asItIs,
  code: asItIs,
  block: asItIs,
  link: (inner, address) => (inner === address ? inner : `${inner} (${address})`),
  heading: asItIs,
  quote: (inner) => inner.replace(/^/gm, "> "),
};

const escaped = (word: string, mark: string) => (mark === "`" ? word : word.replaceAll("\\", "\\\\"));

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function textOf(random: () => number, letters: string, length: number): string {
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join("");
}
