import { expect, test } from "vitest";
import { tokensOf } from "./code-tokens.ts";

function told(code: string, language: string): string[] {
  return (tokensOf(code, language) ?? []).flatMap(({ kind, text }) =>
    kind === "plain" ? [] : [`${kind}: ${text}`],
  );
}

test.each([
  ["ts", 'const a = "b // c"; // d', ["word: const", 'string: "b // c"', "comment: // d"]],
  [
    "python",
    'def f():\n  """long\ntext"""\n  return 12.5 # end',
    ["word: def", 'string: """long\ntext"""', "word: return", "number: 12.5", "comment: # end"],
  ],
  ["sh", "echo $# 'it' # said", ["word: echo", "string: 'it'", "comment: # said"]],
  ["sql", "SELECT 1 FROM t -- all", ["word: SELECT", "number: 1", "word: FROM", "comment: -- all"]],
  ["js", "it's\nreturn 'a\\'b'", ["string: 's", "word: return", "string: 'a\\'b'"]],
  ["JSON", '{"a": true}', ['string: "a"', "word: true"]],
  ["ts", "get(map.get(a))", ["word: get"]],
  ["css", "a { /* b */ }", ["comment: /* b */"]],
])("%s is cut into its pieces", (language, code, pieces) => {
  expect(told(code, language)).toEqual(pieces);
  expect((tokensOf(code, language) ?? []).map(({ text }) => text).join("")).toBe(code);
});

test("an unknown language and very long code stay in one colour", () => {
  expect(tokensOf("const a", "brainfudge")).toBeUndefined();
  expect(tokensOf("const a", null)).toBeUndefined();
  expect(tokensOf("1".repeat(60_000), "js")).toBeUndefined();
});
