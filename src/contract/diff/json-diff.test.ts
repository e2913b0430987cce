import { expect, test } from "vitest";
import { diffJson, isSameJson } from "./json-diff.ts";
import { linesBetween, type TextPart, wordsBetween } from "./text-diff.ts";

const told = (before: unknown, after: unknown) =>
  diffJson(before, after).map(({ kind, path }) => `${kind} ${path}`.trim());

test("what differs stands in its place, and what is the same is one line", () => {
  const before = { command: "rm -rf build", env: { A: "1", B: [1, 2, 3] }, dry: false };
  const after = { command: "rm -r build/old", env: { A: "1", B: [1, 2, 3] }, force: true };
  expect(diffJson(before, after)).toEqual([
    { kind: "open", bracket: "{", depth: 0, name: null, path: "" },
    {
      kind: "changed",
      before: "rm -rf build",
      after: "rm -r build/old",
      depth: 1,
      name: "command",
      path: "command",
    },
    { kind: "same", value: before.env, depth: 1, name: "env", path: "env" },
    { kind: "removed", value: false, depth: 1, name: "dry", path: "dry" },
    { kind: "added", value: true, depth: 1, name: "force", path: "force" },
    { kind: "close", bracket: "{", depth: 0, name: null, path: "" },
  ]);
});

test("an item put into a list is added alone, and a replaced one is looked into", () => {
  expect(told([1, 2, 3], [1, 9, 2, 3])).toEqual([
    "open",
    "same [0]",
    "added [1]",
    "same [2]",
    "same [3]",
    "close",
  ]);
  expect(told({ list: [{ id: 1, text: "a" }] }, { list: [{ id: 1, text: "b" }] })).toEqual([
    "open",
    "open list",
    "open list[0]",
    "same list[0].id",
    "changed list[0].text",
    "close list[0]",
    "close list",
    "close",
  ]);
});

test("the order of fields, and names of the prototype, do not count", () => {
  expect(isSameJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(told({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual(["same"]);
  expect(told({}, { constructor: 1 })).toEqual(["open", "added constructor", "close"]);
  expect(isSameJson([], {})).toBe(false);
  expect(isSameJson(null, {})).toBe(false);
});

test("a value of ten thousand items is compared at once", () => {
  const before = Array.from({ length: 10_000 }, (_, index) => index);
  const after = before.map((item) => -item - 1);
  const lines = diffJson(before, after);
  expect(lines.filter(({ kind }) => kind === "changed")).toHaveLength(10_000);
});

test("words that differ are marked, and texts without a common word are marked whole", () => {
  const marked = wordsBetween("rm -rf the build folder", "rm -r the old build folder");
  expect(drawn(marked.before)).toBe("rm -[rf] the build folder");
  expect(drawn(marked.after)).toBe("rm -[r] the[ old] build folder");
  expect(wordsBetween("yes", "never")).toEqual({
    before: [{ text: "yes", marked: true }],
    after: [{ text: "never", marked: true }],
  });
});

test("a long text is compared line by line", () => {
  const lines = linesBetween("one\ntwo words\nthree", "one\ntwo other words\nthree\nfour");
  expect(lines.map(({ sign, parts }) => `${sign} ${parts.map(({ text }) => text).join("")}`)).toEqual([
    "same one",
    "removed two words",
    "added two other words",
    "same three",
    "added four",
  ]);
});

function drawn(parts: TextPart[]): string {
  return parts.map(({ text, marked }) => (marked ? `[${text}]` : text)).join("");
}
