import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyTree, PluginFolders } from "./plugin-folders.ts";
import { hashTree } from "./tree.ts";

let root: string;
let home: string;
let folders: PluginFolders;
const { signal } = new AbortController();

function foldersOf(root: string): PluginFolders {
  return new PluginFolders({ plugins: join(root, "plugins"), staging: join(root, "staging") });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "patchbay-folders-"));
  home = join(root, "home");
  await mkdir(home);
  folders = foldersOf(home);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function place(text: string, signalled = signal): Promise<string> {
  const staging = await folders.openStaging("job");
  const from = join(staging, "package");
  await mkdir(from);
  await writeFile(join(from, "index.js"), text);
  return folders.place(from, "echo", "1.0.0", await hashTree(from), signalled);
}

test("a staged tree is moved to a folder named after its version and hash", async () => {
  const dir = await place("one");
  expect(dir).toMatch(/plugins\/echo\/1\.0\.0-[0-9a-f]{12}$/);
  expect(await readFile(join(dir, "index.js"), "utf8")).toBe("one");
});

test("the same tree placed twice gets a folder of its own", async () => {
  const first = await place("one");
  expect(await place("one")).toBe(`${first}-2`);
});

test("nothing is placed once it was stopped", async () => {
  const reason = new Error("stopped");
  await expect(place("one", AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(await readdir(join(home, "plugins")).catch(() => [])).toEqual([]);
});

test("removing a version removes its empty parent, and only what was placed here", async () => {
  const dir = await place("one");
  const other = join(root, "somewhere", "else");
  await mkdir(other, { recursive: true });
  await folders.remove(other);
  await folders.remove(home);
  await folders.remove(dir);
  await folders.remove(dir);
  expect(await readdir(join(home, "plugins"))).toEqual([]);
  expect((await stat(other)).isDirectory()).toBe(true);
});

test("a home that was moved keeps its versions at the next sweep", async () => {
  const dir = await place("one");
  const moved = join(root, "moved");
  await rename(home, moved);
  expect(await foldersOf(moved).sweep([dir])).toEqual([join(moved, "staging", "job")]);
  expect(await readdir(join(moved, "plugins", "echo"))).toHaveLength(1);
});

test("a copy leaves out what it is told to, and nothing of the same name deeper down", async () => {
  const from = join(root, "from");
  await mkdir(join(from, ".git"), { recursive: true });
  await mkdir(join(from, "lib", ".git"), { recursive: true });
  await writeFile(join(from, "index.js"), "x");
  const done: number[] = [];
  await copyTree(from, join(root, "to"), { ignore: [".git"], signal, onProgress: (part) => done.push(part) });
  expect((await readdir(join(root, "to"), { recursive: true })).sort()).toEqual([
    "index.js",
    "lib",
    "lib/.git",
  ]);
  expect(done.at(-1)).toBe(1);
});
