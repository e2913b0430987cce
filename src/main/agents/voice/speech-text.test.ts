import { expect, test } from "vitest";
import { MOST_SPOKEN, speechTextOf } from "./speech-text.ts";

test.each([
  ["**Yes**, see [the page](https://example.com/a).", "Yes, see the page."],
  ["Run it:\n\n```sh\nrm -rf /tmp/x\n```\n- Done\n- *Really* `done`", "Run it:\n\nDone\nReally done"],
  [
    "# Head\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. One\n2. snake_case stays\n> quoted",
    "Head\n\nOne\nsnake_case stays\nquoted",
  ],
  ["Before\n```js\nnever closed", "Before"],
  ["```\nls\n```", ""],
  ["3 * 4 * 5 is 60", "3 * 4 * 5 is 60"],
  ["https://example.com/only", ""],
])("%j is read as %j", (answer, read) => {
  expect(speechTextOf(answer)).toBe(read);
});

test("what is too long ends with a sentence where there is one, and never in the middle of a character", () => {
  const read = speechTextOf("This is a sentence. ".repeat(500));
  expect(read.length).toBeLessThanOrEqual(MOST_SPOKEN);
  expect(read).toMatch(/sentence\.…$/);
  const emoji = speechTextOf("🙂".repeat(5_000));
  expect(emoji.length).toBeLessThanOrEqual(MOST_SPOKEN);
  expect(emoji.isWellFormed()).toBe(true);
});
