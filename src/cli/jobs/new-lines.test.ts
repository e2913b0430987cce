import { expect, test } from "vitest";
import { newLines } from "./new-lines.ts";

const at = "2026-11-23T02:00:00.000Z";
const log = (...texts: string[]) => texts.map((text) => ({ at, text }));

test("what was added at the end is new", () => {
  expect(newLines([], log("a", "b"))).toEqual(log("a", "b"));
  expect(newLines(log("a"), log("a", "b", "c"))).toEqual(log("b", "c"));
  expect(newLines(log("a", "b"), log("a", "b"))).toEqual([]);
});

test("lines that were dropped at the beginning are not told again", () => {
  expect(newLines(log("a", "b", "c"), log("b", "c", "d"))).toEqual(log("d"));
});

test("everything is new when nothing of what was seen is left, as after a retry", () => {
  expect(newLines(log("a", "b"), log("c", "d"))).toEqual(log("c", "d"));
});
