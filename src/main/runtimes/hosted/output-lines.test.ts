import { expect, test } from "vitest";
import { LineSplitter, LogBudget } from "./output-lines.ts";

function linesOf(...chunks: (string | Buffer)[]): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

test("a stream is cut into lines, wherever its chunks end", () => {
  expect(linesOf("one\ntw", "o\r\n\nthree")).toEqual(["one", "two", "", "three"]);
});

test("a character that two chunks share stays whole", () => {
  const bytes = Buffer.from("grün\n");
  expect(linesOf(bytes.subarray(0, 3), bytes.subarray(3))).toEqual(["grün"]);
});

test("a line without an end is passed on in pieces", () => {
  const lengths = linesOf("x".repeat(40_000)).map((line) => line.length);
  expect(lengths).toEqual([16_384, 16_384, 7_232]);
});

test("what exceeds a mebibyte a second is dropped and counted", () => {
  let now = 0;
  const budget = new LogBudget({ ticks: () => now });
  expect(budget.take(1_000_000)).toBe(true);
  expect(budget.take(100_000)).toBe(false);
  expect(budget.takeDropped()).toBe(100_000);
  expect(budget.takeDropped()).toBe(0);
  now = 1_000;
  expect(budget.take(100_000)).toBe(true);
});
