import { chmod, mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HashCache, hashTree, mapLimited, readTree } from "./tree.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "patchbay-tree-"));
  await mkdir(join(dir, "lib"));
  await writeFile(join(dir, "index.js"), "one");
  await writeFile(join(dir, "lib", "a.js"), "two");
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("the same tree has the same hash, wherever it lies", async () => {
  const before = await hashTree(dir);
  const moved = `${dir}-moved`;
  await rename(dir, moved);
  expect(await hashTree(moved)).toBe(before);
  await rename(moved, dir);
});

test.each<[string, () => Promise<unknown>]>([
  ["a file's content", () => writeFile(join(dir, "index.js"), "One")],
  ["a file's name", () => rename(join(dir, "index.js"), join(dir, "main.js"))],
  ["a file more", () => writeFile(join(dir, "lib", "b.js"), "")],
  ["a file less", () => rm(join(dir, "lib", "a.js"))],
  ["a folder more", () => mkdir(join(dir, "empty"))],
  ["whether a file can be run", () => chmod(join(dir, "index.js"), 0o755)],
  [
    "a link in place of a file",
    () => rm(join(dir, "index.js")).then(() => symlink("lib/a.js", join(dir, "index.js"))),
  ],
])("the hash changes with %s", async (_what, change) => {
  const before = await hashTree(dir);
  await change();
  expect(await hashTree(dir)).not.toBe(before);
});

/** A minute from now, when what is changed now has settled. */
const later = { now: () => Date.now() + 60_000 };

test("what looks untouched is not read again", async () => {
  const cache: HashCache = new Map();
  const remembered = { cache, ...later };
  const before = await hashTree(dir, { remembered });
  for (const known of cache.values()) known.hash = known.hash.replace(/./g, "0");
  expect(await hashTree(dir, { remembered })).not.toBe(before);
  await utimes(join(dir, "index.js"), 1, 1);
  await utimes(join(dir, "lib", "a.js"), 1, 1);
  expect(await hashTree(dir, { remembered })).toBe(before);
});

test("a file that was changed just now is read again the next time, whatever its stamp says", async () => {
  const cache: HashCache = new Map();
  await hashTree(dir, { remembered: { cache, now: Date.now } });
  expect(cache.size).toBe(0);
  await hashTree(dir, { remembered: { cache, ...later } });
  expect(cache.size).toBe(2);
});

test("another content with the size and the time of the old one is seen", async () => {
  const remembered = { cache: new Map(), ...later };
  const path = join(dir, "index.js");
  const { atime, mtime } = await stat(path);
  const before = await hashTree(dir, { remembered });
  await writeFile(path, "eno");
  await utimes(path, atime, mtime);
  expect(await hashTree(dir, { remembered })).not.toBe(before);
});

test.each(["/etc/passwd", "../outside", "lib/../../outside"])("a link to %s is refused", async (target) => {
  await symlink(target, join(dir, "link"));
  await expect(readTree(dir)).rejects.toMatchObject({
    code: "UNSAFE_PACKAGE",
    details: { path: "link", target },
  });
});

test("a link that only leads out through another link is refused", async () => {
  await mkdir(join(dir, "deep", "er"), { recursive: true });
  await symlink("deep/er", join(dir, "short"));
  await symlink("../lib/a.js", join(dir, "deep", "fine"));
  expect((await readTree(dir)).map((entry) => entry.path)).toContain("deep/fine");
  await symlink("../..", join(dir, "deep", "er", "root"));
  await writeFile(join(dir, "..", "patchbay-outside-marker"), "");
  await symlink("deep/er/root/../patchbay-outside-marker", join(dir, "out"));
  await expect(readTree(dir)).rejects.toMatchObject({ code: "UNSAFE_PACKAGE", details: { path: "out" } });
  await rm(join(dir, "..", "patchbay-outside-marker"));
});

test("work over many items keeps their order and stops when aborted", async () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  expect(await mapLimited(numbers, async (number) => number * 2)).toEqual(
    numbers.map((number) => number * 2),
  );
  const reason = new Error("stopped");
  await expect(mapLimited(numbers, async () => {}, AbortSignal.abort(reason))).rejects.toBe(reason);
});
