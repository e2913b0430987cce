import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Clock } from "../../base/clock.ts";
import { IconCache } from "./icon-cache.ts";

const hour = 60 * 60_000;
const address = "https://acme.example/icon.png";
const icon = "data:image/png;base64,AAAA";

let dir: string;
let now: number;
let cache: IconCache;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "patchbay-icons-"));
  now = Date.UTC(2026, 0, 1);
  cache = new IconCache(dir, { now: () => now } as Clock);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("an icon is kept for a week, and that there is none for an hour", async () => {
  expect(await cache.get(address)).toBeUndefined();
  await cache.put(address, icon);
  await cache.put("https://acme.example/none.png", null);
  expect(await cache.get(address)).toBe(icon);
  expect(await cache.get("https://acme.example/none.png")).toBeNull();
  now += 2 * hour;
  expect(await cache.get(address)).toBe(icon);
  expect(await cache.get("https://acme.example/none.png")).toBeUndefined();
  now += 7 * 24 * hour;
  expect(await cache.get(address)).toBeUndefined();
});

test.each([
  ["torn", "{"],
  ["of a time to come", JSON.stringify({ v: 1, at: Date.UTC(2030, 0, 1), icon })],
  ["a drawing", JSON.stringify({ v: 1, at: Date.UTC(2026, 0, 1), icon: "data:image/svg+xml;base64,AAAA" })],
])("a copy that is %s counts as none", async (_name, text) => {
  await cache.put(address, icon);
  const [name = ""] = await readdir(dir);
  await writeFile(join(dir, name), text);
  expect(await cache.get(address)).toBeUndefined();
});

test("no more than five hundred are kept, and the newest stay", async () => {
  for (let index = 0; index < 500; index += 1) {
    const file = join(dir, `old-${index}`);
    await writeFile(file, "");
    await utimes(file, index, index);
  }
  await cache.put(address, icon);
  const names = await readdir(dir);
  expect(names.length).toBe(450);
  expect(names).toContain("old-499");
  expect(names).not.toContain("old-0");
  expect(await cache.get(address)).toBe(icon);
});
