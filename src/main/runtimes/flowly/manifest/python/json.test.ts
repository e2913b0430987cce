import { expect, test } from "vitest";
import { readJson } from "./json.ts";
import { pyRepr } from "./text.ts";

test.each([
  [
    '{"a": 1, "b": [1.50, -0.0, 2E2, NaN, -Infinity], "a": null}',
    "{'a': None, 'b': [1.5, -0.0, 200.0, nan, -inf]}",
  ],
  [' "\\u00e9\\ud83d\\ude00\\/" ', "'é😀/'"],
  ["[9007199254740993, true, {}, []]", "[9007199254740993, True, {}, []]"],
])("%s is %s", (text, expected) => {
  expect(pyRepr(readJson(text))).toBe(expected);
});

/** Recorded with Python 3.11. */
test.each([
  ["", "Expecting value: line 1 column 1 (char 0)"],
  ["\ufeff{}", "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"],
  ['{"a": 1,}', "Expecting property name enclosed in double quotes: line 1 column 9 (char 8)"],
  ['{"a" 1}', "Expecting ':' delimiter: line 1 column 6 (char 5)"],
  ["[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)"],
  ["[\n1,\n]", "Expecting value: line 3 column 1 (char 5)"],
  ["{} {}", "Extra data: line 1 column 4 (char 3)"],
  ['"a\tb"', "Invalid control character at: line 1 column 3 (char 2)"],
  ['"a', "Unterminated string starting at: line 1 column 1 (char 0)"],
  ['"\\x"', "Invalid \\escape: line 1 column 2 (char 1)"],
  ["01", "Extra data: line 1 column 2 (char 1)"],
  ["+1", "Expecting value: line 1 column 1 (char 0)"],
])("%j is refused", (text, message) => {
  expect(() => readJson(text)).toThrow(message);
});

test("what is nested too deep is an error, not a crash", () => {
  expect(() => readJson("[".repeat(100_000))).toThrow("maximum recursion depth exceeded");
});
