import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { libraries } from "../../src/renderer/settings/libraries.ts";

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));

test("the licences that are shown are those of the libraries in use", () => {
  const names = Object.keys(read("package.json").dependencies);
  const installed = names.map((name) => [name, read(`node_modules/${name}/package.json`).license]);
  expect(libraries).toEqual(installed);
});
