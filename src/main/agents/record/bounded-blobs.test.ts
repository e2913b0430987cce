import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFileStorage } from "../../store/index.ts";
import { BoundedBlobs } from "./bounded-blobs.ts";
import { addressOf } from "./parts.ts";

let home: string;
let folder: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-blobs-"));
  folder = join(home, "agents", "a", "sessions", "s.blobs");
});
afterEach(() => rm(home, { recursive: true, force: true }));

function open(mostBytes?: number): BoundedBlobs {
  const storage = openFileStorage({ home, onNotice: (problem) => expect.unreachable(problem.message) });
  return new BoundedBlobs(storage.blobs("a", "s"), mostBytes);
}

function blobsOf(...texts: string[]): Map<string, string> {
  return new Map(texts.map((text) => [addressOf(text), text]));
}

test("a text is kept once and found by its address", async () => {
  const blobs = open();
  await blobs.put(blobsOf("one", "two"));
  await blobs.put(blobsOf("one"));
  expect(await blobs.get(addressOf("one"))).toBe("one");
  expect((await readdir(folder)).sort()).toEqual([addressOf("one"), addressOf("two")].sort());
});

test("what was not used for longest makes room, also after a restart, and it is said", async () => {
  const [a, b, c] = ["a", "b", "c"].map((word) => word.repeat(40));
  const first = open(100);
  await first.put(blobsOf(a as string, b as string));
  await utimes(join(folder, addressOf(a as string)), new Date(1_000), new Date(1_000));
  await utimes(join(folder, addressOf(b as string)), new Date(500), new Date(500));

  const dropped = await open(100).put(blobsOf(a as string, c as string));

  expect(dropped).toEqual({ dropped: [addressOf(b as string)], bytes: 40 });
  expect(await first.get(addressOf(a as string))).toBe(a);
});

test("a text larger than all room is not kept, and it is said", async () => {
  const text = "x".repeat(200);
  expect(await open(100).put(blobsOf(text))).toEqual({ dropped: [addressOf(text)], bytes: 200 });
  expect(await open(100).get(addressOf(text))).toBeUndefined();
});

test("a file that is not what its name says is not there", async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, addressOf("whole")), "who");
  expect(await open().get(addressOf("whole"))).toBeUndefined();
  expect(await open().get("../../etc/passwd")).toBeUndefined();
});
