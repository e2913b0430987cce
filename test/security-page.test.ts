import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

const page = readFileSync("docs/security.md", "utf8");

test("every test that the page on security names is there", () => {
  const named = Array.from(
    page.matchAll(/`((?:test|src|e2e)\/[\w./-]+\.(?:test|spec)\.tsx?)`/g),
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test.each(globSync("test/hostile/*.test.ts"))("the page on security says what %s proves", (path) => {
  expect(page).toContain(basename(path));
});
