import { describe, expect, test } from "vitest";
import { type Condition, parseCondition } from "./condition.ts";

const field = (...path: (string | number)[]) => ({ kind: "field" as const, path });
const value = (value: string | number | boolean | null) => ({ kind: "value" as const, value });
const is = (...path: (string | number)[]): Condition => ({ kind: "is", of: field(...path) });

const readable: [string, Condition][] = [
  ["args.force", is("args", "force")],
  ['args.command contains "rm"', { kind: "contains", whole: field("args", "command"), part: value("rm") }],
  [
    "args.files.0 == 'a b'",
    { kind: "compare", by: "==", left: field("args", "files", 0), right: value("a b") },
  ],
  ["args.count = 3", { kind: "compare", by: "==", left: field("args", "count"), right: value(3) }],
  ["args.count >= -1.5", { kind: "compare", by: ">=", left: field("args", "count"), right: value(-1.5) }],
  ["isError == true", { kind: "compare", by: "==", left: field("isError"), right: value(true) }],
  ["plugin != null", { kind: "compare", by: "!=", left: field("plugin"), right: value(null) }],
  [
    'args.text == "say \\"hi\\"\\n"',
    { kind: "compare", by: "==", left: field("args", "text"), right: value('say "hi"\n') },
  ],
  [
    "args.path matches /^\\/tmp\\/[/]x/i",
    { kind: "matches", of: field("args", "path"), source: "^\\/tmp\\/[/]x", flags: "i" },
  ],
  ["not a", { kind: "not", of: is("a") }],
  [
    "a or b and not c",
    { kind: "or", left: is("a"), right: { kind: "and", left: is("b"), right: { kind: "not", of: is("c") } } },
  ],
  ["(a or b) and c", { kind: "and", left: { kind: "or", left: is("a"), right: is("b") }, right: is("c") }],
  ["händler.größe", is("händler", "größe")],
  ["orange", is("orange")],
  ["args.or", is("args", "or")],
  ["git-hub.x-y", is("git-hub", "x-y")],
];

describe("a condition", () => {
  test.each(readable)("%s is understood", (text, condition) => {
    expect(parseCondition(text)).toEqual({ ok: true, condition });
  });

  test.each([
    ["", "value_missing", 0, 1],
    ["args.command contains", "value_missing", 21, 1],
    ["a and", "value_missing", 5, 1],
    ["a and and b", "value_missing", 6, 3],
    ['a == "open', "open_text", 5, 5],
    ["a matches /open", "open_pattern", 10, 5],
    ["a matches /(/", "bad_pattern", 10, 3],
    ["a matches /x/g", "bad_pattern", 10, 4],
    ['a matches "x"', "pattern_missing", 10, 3],
    ["(a", "closing_missing", 0, 1],
    ["a b", "left_over", 2, 1],
    ["a)", "left_over", 1, 1],
    ["a; process.exit()", "unknown_sign", 1, 1],
    ["constructor()", "left_over", 11, 1],
    ["`x`", "unknown_sign", 0, 1],
  ])("%s is refused at its place: %s", (text, fault, at, length) => {
    expect(parseCondition(text)).toEqual({ ok: false, trouble: { fault, at, length } });
  });

  test("has an end: neither very long nor very deep ones are read", () => {
    expect(parseCondition("a or ".repeat(1_000))).toMatchObject({ trouble: { fault: "too_long" } });
    expect(parseCondition(`${"(".repeat(500)}a`)).toMatchObject({ trouble: { fault: "too_deep" } });
    expect(parseCondition(`${"not ".repeat(400)}a`)).toMatchObject({ trouble: { fault: "too_deep" } });
  });
});
