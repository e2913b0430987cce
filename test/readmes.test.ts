import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** Three files and more want to be introduced. */
const fewest = 3;
/** Lines of a README that is still read. */
const longest = 12;
/** Lists of words by area, one file like the other; the README above them says what they are. */
const wordLists = /^src\/renderer\/base\/i18n\/(de|en)\//;

const sources = globSync("src/**/*.{ts,tsx}", { exclude: ["**/*.test.{ts,tsx}", "**/*.d.ts"] });
const folders = Object.entries(Object.groupBy(sources, (file) => dirname(file)))
  .filter(([folder, files]) => (files?.length ?? 0) >= fewest && !wordLists.test(`${folder}/`))
  .map(([folder]) => folder);

test.each(folders)("%s says in a few lines what is in it", (folder) => {
  const readme = join(folder, "README.md");
  expect(existsSync(readme)).toBe(true);
  expect(readFileSync(readme, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(longest);
});

test.each(globSync("src/**/README.md"))("the files that %s names are there", (readme) => {
  const folder = dirname(readme);
  const named = readFileSync(readme, "utf8").matchAll(/`([\w./-]+\.tsx?)`/g);
  const places = [folder, ".", "src", "src/main", "src/renderer"];
  const gone = Array.from(named, ([, name = ""]) => name).filter(
    (name) =>
      places.every((place) => !existsSync(join(place, name))) &&
      globSync(`${folder}/**/${name}`).length === 0,
  );
  expect(gone).toEqual([]);
});
