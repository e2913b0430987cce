import { mkdir, mkdtemp, realpath, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Plugin } from "../../contract/index.ts";
import type { Clock } from "../base/clock.ts";
import { createIntegrityCheck } from "./integrity.ts";
import { hashTree } from "./tree.ts";

let plugins: string;
let dir: string;
let row: Plugin;
let ticks = 0;
const clock: Clock = { now: () => Date.now() + 60_000, ticks: () => ticks, after: () => () => {} };

beforeEach(async () => {
  plugins = await realpath(await mkdtemp(join(tmpdir(), "patchbay-integrity-")));
  dir = join(plugins, "weather", "1.0.0-abc");
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "index.js"), "one");
  row = rowFor(dir, await hashTree(dir));
});
afterEach(() => rm(plugins, { recursive: true, force: true }));

/** The fields of a row that the check reads. */
function rowFor(folder: string, treeHash: string | null, kind = "npm"): Plugin {
  const source = {
    kind,
    spec: "weather",
    integrity: null,
    treeHash,
    installedAt: "2026-01-01T00:00:00.000Z",
  };
  const artifact = { kind: "folder", dir: folder };
  return { displayName: "Weather", packageVersion: "1.0.0", artifact, source } as unknown as Plugin;
}

test("files as they were installed are fine, however often they are looked at", async () => {
  const check = createIntegrityCheck({ plugins, clock });
  expect(await check(row)).toBeNull();
  expect(await check(row)).toBeNull();
});

test("a file with another content, the same size and the old time is found", async () => {
  const check = createIntegrityCheck({ plugins, clock });
  const path = join(dir, "index.js");
  const { atime, mtime } = await stat(path);
  expect(await check(row)).toBeNull();
  await writeFile(path, "eno");
  await utimes(path, atime, mtime);
  expect(await check(row)).toMatchObject({ code: "PLUGIN_FILES_CHANGED" });
});

test("after six hours every byte is read again", async () => {
  let reads = 0;
  const now = () => {
    reads += 1;
    return clock.now();
  };
  const check = createIntegrityCheck({ plugins, clock: { ...clock, now } });
  await check(row);
  await check(row);
  expect(reads).toBe(1);
  ticks += 6 * 60 * 60 * 1_000 + 1;
  await check(row);
  expect(reads).toBe(2);
});

test.each(["the version", "the plugin"])("a link in place of the folder of %s is found", async (which) => {
  const place = which === "the version" ? dir : join(plugins, "weather");
  const moved = join(plugins, "elsewhere");
  await rename(place, moved);
  await symlink(moved, place);
  const check = createIntegrityCheck({ plugins, clock });
  expect(await check(row)).toMatchObject({
    code: "PLUGIN_FILES_CHANGED",
    details: { reason: expect.stringContaining("elsewhere") },
  });
});

test("a row that names a folder outside of the plugins is refused, though the files in it fit", async () => {
  const outside = await mkdtemp(join(tmpdir(), "patchbay-outside-"));
  await writeFile(join(outside, "index.js"), "one");
  const check = createIntegrityCheck({ plugins, clock });
  expect(await check(rowFor(outside, row.source.treeHash))).toMatchObject({ code: "PLUGIN_FILES_CHANGED" });
  await rm(outside, { recursive: true, force: true });
});

test("a copied plugin without a hash is refused; a linked folder is the person's own", async () => {
  const check = createIntegrityCheck({ plugins, clock });
  expect(await check(rowFor(dir, null))).toMatchObject({ code: "PLUGIN_FILES_CHANGED" });
  expect(await check(rowFor(dir, null, "link"))).toBeNull();
});
