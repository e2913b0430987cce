import { expect, test } from "vitest";
import type { LogEntry } from "../../../../contract/agent-plugin.ts";
import { indexOfLine } from "./wanted-line.ts";

const at = (ms: number) => new Date(ms).toISOString();
const entries = [
  { seq: 1, at: at(1_000), level: "info", origin: "plugin", text: "same" },
  { seq: 2, at: at(5_000), level: "info", origin: "plugin", text: "same" },
  { seq: 3, at: at(5_001), level: "info", origin: "plugin", text: "other" },
] as LogEntry[];

test("of lines with the same text the nearest in time is found", () => {
  expect(indexOfLine(entries, { at: 5_001.4, text: "same" })).toBe(1);
  expect(indexOfLine(entries, { at: 900, text: "same" })).toBe(0);
});

test("a line whose text is not known is found by its time alone, if it is near", () => {
  expect(indexOfLine(entries, { at: 5_001.2, text: null })).toBe(2);
  expect(indexOfLine(entries, { at: 60_000, text: "gone" })).toBeNull();
});
