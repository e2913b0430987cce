import { expect, test } from "vitest";
import { called, commandIn } from "./command-text.ts";

test.each([
  ["/go", "go", ""],
  ["/go  a  b ", "go", "a  b"],
  ["/go\nline one\n line two\n", "go", "line one\n line two"],
  ["/go\u00a0a", "go", "a"],
  ["/go\u3000\u2003a\u2028b\u0085", "go", "a\u2028b"],
  ["/go\u001fa", "go", "a"],
  ["/Ä-b:c  ", "Ä-b:c", ""],
  ["/ go", "", "go"],
  ["/", "", ""],
  ["no command", "", ""],
])("%j is the command %j with %j", (text, name, args) => {
  expect(commandIn(text)).toEqual({ name, args });
});

test("a name is found as it is written first, then whatever its case", () => {
  const entries = ["help", "Deploy", "deploy", "STATUS"].map((name) => ({ name }));
  expect(called(entries, "deploy")).toBe(entries[2]);
  expect(called(entries, "DEPLOY")).toBe(entries[1]);
  expect(called(entries, "status")).toBe(entries[3]);
  expect(called(entries, "Help")).toBe(entries[0]);
  expect(called(entries, "")).toBeUndefined();
});

test("many blanks inside of the arguments take no time", () => {
  const inner = `a${" ".repeat(100_000)}b`;
  const begin = performance.now();
  expect(commandIn(`/go ${inner} `).args).toBe(inner);
  expect(performance.now() - begin).toBeLessThan(500);
});
