import { test as each, expect } from "vitest";
import { shell } from "./inside-command.ts";
import { tryWall } from "./trial.ts";

const test = each.skipIf(process.platform === "win32");

const without = (line: string) => `${shell} -c '${line.replaceAll("'", `'\\''`)}'`;

test("a wall that holds nothing is found out", async () => {
  expect(await tryWall(async ({ line }) => without(line))).toBe(
    "A program behind the wall can read what is closed to it.",
  );
});

test("a wall behind which nothing runs is found out", async () => {
  expect(await tryWall(async () => "/bin/sh -c 'echo no such sandbox >&2; exit 1'")).toContain(
    "does not run as it should (no such sandbox)",
  );
});

const reads = 'cat "$CLOSED/word"';
const writes = 'echo new > "$CLOSED/new"';
const signals = 'kill -0 "$CORE"';

test.each([
  [[reads], "A program behind the wall can write where it may not."],
  [[reads, writes], "A program behind the wall can signal Patchbay."],
  [[reads, writes, signals], "A program behind the wall can reach this computer past Patchbay."],
])("a wall that stops %s alone is found out", async (stopped, problem) => {
  const stop = (line: string) => stopped.reduce((text, part) => text.replace(part, "false"), line);
  expect(await tryWall(async ({ line }) => without(stop(line)))).toBe(problem);
});
