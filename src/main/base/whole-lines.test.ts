import { expect, test } from "vitest";
import { WholeLines } from "./whole-lines.ts";

function passedOn(...pieces: (Uint8Array | string)[]): string[] {
  const passed: string[] = [];
  const lines = new WholeLines((text) => passed.push(text));
  for (const piece of pieces) lines.add(piece);
  lines.end();
  return passed;
}

test("a line that comes in pieces is passed on once it is whole", () => {
  expect(passedOn("on", "e\ntw", "o\nthree\n")).toEqual(["one\n", "two\nthree\n"]);
});

test("what stands after the last line end comes at the end", () => {
  expect(passedOn("one\ntwo")).toEqual(["one\n", "two"]);
  expect(passedOn("")).toEqual([]);
});

test("a character that is cut in two bytes stays whole", () => {
  const bytes = Buffer.from("é\n");
  expect(passedOn(bytes.subarray(0, 1), bytes.subarray(1))).toEqual(["é\n"]);
});

test("a line without an end is passed on in pieces before it fills the memory", () => {
  const passed = passedOn("x".repeat(10_000), "y\n");
  expect(passed.join("")).toBe(`${"x".repeat(10_000)}y\n`);
  expect(Math.max(...passed.map(({ length }) => length))).toBe(4_096);
});
