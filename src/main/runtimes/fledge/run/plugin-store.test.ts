import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFileStorage } from "../../../store/index.ts";
import { PluginStore } from "./plugin-store.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-store-"));
  path = join(folder, "agents", "ada", "storage", "notes", "state.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): PluginStore {
  const onNotice = () => expect.unreachable();
  return new PluginStore(openFileStorage({ home: folder, onNotice }), "ada", "notes");
}

const onDisk = async () => JSON.parse(await readFile(path, "utf8"));

test("a value is on disk when it has been acknowledged", async () => {
  const store = open();
  expect(await store.store("a", "1")).toBeNull();
  expect(await onDisk()).toEqual({ a: "1" });
  expect(await store.store("__proto__", "2")).toBeNull();
  expect(await readFile(path, "utf8")).toBe('{\n  "a": "1",\n  "__proto__": "2"\n}\n');
  expect(await open().load("__proto__")).toBe("2");
});

test("all values together take at most 1 MiB; what goes beyond is refused, and the rest stays as it was", async () => {
  const store = open();
  const large = "x".repeat(64 * 1024);
  for (let at = 0; at < 15; at += 1) expect(await store.store(`k${at}`, large)).toBeNull();
  expect(await store.store("k15", large)).toBe("all that it keeps would be more than 1 MiB");
  expect(await store.load("k15")).toBeNull();
  // The longest value that still fits: 1 MiB less the present file, and less what one more line adds besides the value
  // (comma, line end, two spaces, key, quotes, colon, space).
  const { length } = await readFile(path, "utf8");
  const room = 1024 * 1024 - length - `,\n  "k15": ""`.length;
  expect(await store.store("k15", "y".repeat(room + 1))).toContain("1 MiB");
  expect(await store.store("k15", "y".repeat(room))).toBeNull();
  expect(await readFile(path, "utf8")).toHaveLength(1024 * 1024);
  expect(await store.store("k15", "z".repeat(room + 1))).toContain("1 MiB");
  expect((await onDisk()).k15).toBe("y".repeat(room));
});

test("bytes are counted, not characters", async () => {
  const store = open();
  expect(await store.store("é".repeat(128), "v")).toBeNull();
  expect(await store.store(`${"é".repeat(128)}x`, "v")).toContain("1 to 256 bytes");
  expect(await store.store("v", "é".repeat(32 * 1024 + 1))).toContain("64 KiB");
});

test("what cannot be written is refused and not read back", async () => {
  const store = open();
  await mkdir(join(folder, "agents", "ada", "storage"), { recursive: true });
  await writeFile(join(folder, "agents", "ada", "storage", "notes"), "in the way");
  expect(await store.store("a", "1")).toContain("could not be saved");
  expect(await store.load("a")).toBeNull();
});

test("runs at the same time lose nothing of each other, and a file that was written by hand is read", async () => {
  await mkdir(join(folder, "agents", "ada", "storage", "notes"), { recursive: true });
  await writeFile(path, JSON.stringify({ a: "by hand", b: 7 }), { mode: 0o644 });
  const store = open();
  expect(await store.load("a")).toBe("by hand");
  expect(await store.load("b")).toBeNull();
  await Promise.all(Array.from({ length: 20 }, (_, at) => store.store(`k${at}`, `${at}`)));
  expect(Object.keys(await onDisk())).toHaveLength(21);
});
