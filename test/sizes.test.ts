import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";

/** Source files side by side in a folder, and lines of a file, tests not counted. */
const mostFiles = 15;
const mostLines = 300;

/** Every other folder keeps to the number. An entry that has become too large, or that is not needed any more, fails. */
const largeFolders = {
  // Imported from everywhere by the name of its files; it is one list of nouns.
  "src/contract": 32,
};

const sources = globSync("src/{main,renderer,cli,contract}/**/*.{ts,tsx}", {
  exclude: ["**/*.test.{ts,tsx}", "**/*.d.ts"],
});
const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").length;

test("no folder has more than fifteen source files side by side", () => {
  const folders = Object.entries(Object.groupBy(sources, (file) => dirname(file)))
    .map(([folder, files]) => [folder, files?.length ?? 0] as const)
    .filter(([, count]) => count > mostFiles);
  expect(Object.fromEntries(folders)).toEqual(largeFolders);
});

test("no source file has more than three hundred lines", () => {
  expect(sources.filter((file) => linesOf(file) > mostLines)).toEqual([]);
});
