import { expect, test } from "vitest";
import { type MarkdownDialect, renderMarkdown } from "./markdown.ts";

/** A dialect that shows how each part of the text was understood. */
const marks: MarkdownDialect = {
  text: (plain) => plain.replaceAll("<", "‹"),
  bold: (inner) => `B(${inner})`,
  italic: (inner) => `I(${inner})`,
  strike: (inner) => `S(${inner})`,
  code: (plain) => `C(${plain})`,
  block: (plain, language) => `P[${language}](${plain})`,
  link: (inner, address) => `L(${inner} ${address})`,
  heading: (inner) => `H(${inner})`,
  quote: (inner) => `Q(${inner})`,
};
const render = (source: string) => renderMarkdown(source, marks);

test.each([
  ["a **b _c_ d** e", "a B(b I(c) d) e"],
  ["*x* and __y__ and ~~z~~", "I(x) and B(y) and S(z)"],
  ["snake_case_name and 2*3*4", "snake_case_name and 2*3*4"],
  ["`a **b** < c` and ``x ` y``", "C(a **b** < c) and C(x ` y)"],
  [
    "[a *b*](https://example.com/x?y=1) <https://example.com>",
    "L(a I(b) https://example.com/x?y=1) https://example.com",
  ],
  ["[bad](javascript:alert)", "[bad](javascript:alert)"],
  ["\\*not\\* a < b", "*not* a ‹ b"],
  ["# **Title** #", "H(Title)"],
  ["- one\n  * two\n1. three", "• one\n  • two\n1. three"],
  ["> a\n> **b**\nc", "Q(a\nB(b))\nc"],
  ["---", "———"],
  ["# Title **bold** *and* `code`", "H(Title bold I(and) C(code))"],
  ["Title\n====\ntext", "H(Title)\ntext"],
  ["![a picture](https://example.com/a.png)", "L(a picture https://example.com/a.png)"],
  ["- [x] done\n  - [ ] **open**", "☑ done\n  ☐ B(open)"],
  ["one<br>two<br/>`a<br>b`", "one\ntwo\nC(a<br>b)"],
  ["still **writing and `code", "still **writing and `code"],
])("%j is rendered as %j", (source, expected) => {
  expect(render(source)).toBe(expected);
});

test("a fence is taken as it stands, also one that has no end yet", () => {
  expect(render("```js\nif (a < b) **x**\n```\nafter")).toBe("P[js](if (a < b) **x**)\nafter");
  expect(render("~~~\n```\nx")).toBe("P[](```\nx)");
});

test("a table keeps its columns in a block", () => {
  expect(render("| a | long |\n|---|:--|\n| bcd | e |\nx")).toBe("P[](a    long\nbcd  e)\nx");
});

test("a table needs no bars at its ends, and its cells have no marks and may hold bars", () => {
  const source = "A | B\n--|:-:\n`x|y` | **b** \\| c\n[l](https://e.x) |\nafter";
  expect(render(source)).toBe("P[](A                B\nx|y              b | c\nl (https://e.x))\nafter");
  expect(render("| 1 | the rest of |\n| 22 | a long one |")).toBe("P[](1   the rest of\n22  a long one)");
  expect(render("a | b\nno table")).toBe("a | b\nno table");
});

test("marks that never end do not take for ever", () => {
  const source = "**a ".repeat(2_000) + "[x](".repeat(1_000) + "`".repeat(999);
  const start = process.cpuUsage();
  expect(render(source).length).toBeGreaterThan(1_000);
  expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
});
