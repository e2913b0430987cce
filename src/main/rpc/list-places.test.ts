import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listPlaces } from "./list-places.ts";

let outside: string;
let home: string;

beforeEach(() => {
  outside = realpathSync(mkdtempSync(join(tmpdir(), "patchbay-places-")));
  home = join(outside, "ada");
  mkdirSync(join(home, "plugins", "weather"), { recursive: true });
  mkdirSync(join(home, ".cache"));
  writeFileSync(join(home, "notes.txt"), "");
  writeFileSync(join(home, "a.tgz"), "");
  writeFileSync(join(outside, "secret.txt"), "");
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

test("the home is listed with folders first and nothing hidden, and no way above it", async () => {
  const { path, parent, entries, cut } = await listPlaces(home);
  expect({ path, parent, cut }).toEqual({ path: home, parent: null, cut: false });
  expect(entries.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    "folder plugins",
    "file a.tgz",
    "file notes.txt",
  ]);
});

test("a folder below knows the one above", async () => {
  const inner = await listPlaces(home, join(home, "plugins"));
  expect(inner.parent).toBe(home);
  expect(inner.entries).toEqual([
    { name: "weather", path: join(home, "plugins", "weather"), kind: "folder" },
  ]);
});

test.each([
  ["above", () => outside],
  ["by dots", () => join(home, "plugins", "..", "..")],
  ["beside, with the same beginning", () => `${home}-other`],
])("nothing outside is listed: %s", async (_what, path) => {
  mkdirSync(`${home}-other`);
  await expect(listPlaces(home, path())).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("a link that leads out is not followed and not shown; one that stays within is", async () => {
  symlinkSync(outside, join(home, "out"));
  symlinkSync(join(home, "plugins"), join(home, "mine"));
  const { entries } = await listPlaces(home);
  expect(entries.map(({ name }) => name)).toEqual(["mine", "plugins", "a.tgz", "notes.txt"]);
  await expect(listPlaces(home, join(home, "out"))).rejects.toMatchObject({ code: "FORBIDDEN" });
});

test("what is not there, or no folder, is said so", async () => {
  await expect(listPlaces(home, join(home, "nope"))).rejects.toMatchObject({ code: "SOURCE_MISSING" });
  await expect(listPlaces(home, join(home, "notes.txt"))).rejects.toMatchObject({ code: "READ_FAILED" });
});
