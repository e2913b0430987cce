import { expect, test } from "vitest";
import { parseCondition } from "../../../contract/pauses/condition.ts";
import { judgeCondition } from "./judge-condition.ts";

const facts = {
  tool: "shell",
  plugin: null,
  isError: false,
  args: {
    command: "rm -rf build",
    count: 3,
    files: ["a.txt", "b.txt"],
    empty: "",
    none: null,
    deep: { x: [1] },
  },
};

function judged(text: string): unknown {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(`${parsed.trouble.fault} at ${parsed.trouble.at}`);
  return judgeCondition(parsed.condition, facts);
}

test.each([
  ['args.command contains "rm"', true],
  ['args.command contains "RM"', false],
  ["args.command matches /^RM\\b/i", true],
  ["args.command matches /^build/", false],
  ['args contains "build"', true],
  ['args.files contains "a.txt"', true],
  ['args.files contains "a"', true],
  ['args.files contains "c"', false],
  ["args.files.1 == 'b.txt'", true],
  ["args.files.2 == null", true],
  ["args.count > 2 and args.count <= 3", true],
  ["args.count > '2'", false],
  ["args.count != 3 or tool == 'shell'", true],
  ["not args.empty and not args.none and not args.missing", true],
  ["args.deep.x", true],
  ["plugin == null", true],
  ["isError == false", true],
  ["isError", false],
  ["args.missing contains 'x' or args.missing matches /x/", false],
  ["args.constructor or args.__proto__ or tool.length", false],
  ["args.files.length == 2", true],
  ["args.deep == args.deep", true],
])("%s is %s", (text, expected) => {
  expect(judged(text)).toBe(expected);
});

test("a pattern that never ends is given up, and nothing is said", () => {
  const long = { args: { text: `${"a".repeat(60)}!` } };
  const parsed = parseCondition("args.text matches /^(a+)+$/");
  if (!parsed.ok) throw new Error(parsed.trouble.fault);
  expect(judgeCondition(parsed.condition, long)).toBe("slow");
});
