import { expect, it } from "vitest";
import type { LogEntry, LogLevel } from "../../../../contract/agent-plugin.ts";
import { shownLines } from "./shown-lines.ts";

let seq = 0;
const line = (text: string, level: LogLevel = "info"): LogEntry => {
  seq += 1;
  return { seq, at: new Date(seq * 1_000).toISOString(), level, origin: "plugin", text };
};
const restart = (): LogEntry => ({ ...line("again"), origin: "patchbay", mark: "restarted" });
const entries = [
  restart(),
  line("One"),
  restart(),
  line("Two fails", "error"),
  restart(),
  line("Three"),
  restart(),
  line("Four fails", "error"),
  restart(),
];
const shown = (level: LogLevel, wanted: string) => shownLines(entries, level, wanted).map(({ text }) => text);

it("puts a restart between the lines of two runs, once, and not at the ends", () => {
  expect(shown("debug", "")).toEqual(["One", "again", "Two fails", "again", "Three", "again", "Four fails"]);
  expect(shown("error", "")).toEqual(["Two fails", "again", "Four fails"]);
  expect(shown("debug", "three")).toEqual(["Three"]);
  expect(shown("debug", "again"), "it is no line that somebody wrote").toEqual([]);
});
