import type { Dirent } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type Guarded, guardedIn, type Language } from "./guarded.ts";

/** An entry of an installed folder. Paths are relative to it, with forward slashes. */
export type Part =
  | { kind: "file"; path: string }
  | { kind: "folder"; path: string }
  | { kind: "link"; path: string; target: string }
  /** A folder that is not there and must not come: see {@link barredIn}. */
  | { kind: "barred"; path: string };

export interface Plan {
  /** Folders in which the plugin may make files of its own; `""` is the whole one. Those above come first. */
  open: readonly string[];
  /** What lies in them as it was installed; a folder here is shown as a whole, and nothing can be made in it. */
  parts: readonly Part[];
  /** What the manifest calls data, as it was installed: files and folders that the plugin may change. */
  data: readonly Part[];
  /** Folders among the open ones in which no code may be added, because some of it is looked for there by name. */
  guarded: readonly Guarded[];
}

/** Each part costs a call some time, because it is mounted for it. */
const MOST_PARTS = 150;
const MOST_AT_TOP = 500;

/** Folders that only hold code, often much of it. */
const codeFolders = new Set([
  "node_modules",
  "target",
  "venv",
  ".venv",
  ".build",
  ".git",
  "__pycache__",
  "vendor",
]);

/**
 * Reads which entries of an installed folder are code. Null when there are so many that the folder is shown as it is,
 * and nothing can be made in it.
 *
 * @param data paths that the manifest calls data
 * @throws the error of the file system
 */
export async function planOf(dir: string, data: readonly string[]): Promise<Plan | null> {
  const plan = { open: [] as string[], parts: [] as Part[], data: [] as Part[] };
  const listed = new Map<string, Dirent[]>();
  const isData = new Set(data);
  const waiting = [""];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const entries = await readdir(join(dir, folder), { withFileTypes: true });
    if (folder === "" && entries.length > MOST_AT_TOP) return null;
    if (folder !== "" && plan.parts.length + waiting.length + entries.length > MOST_PARTS) {
      plan.parts.push({ kind: "folder", path: folder });
      continue;
    }
    plan.open.push(folder);
    listed.set(folder, entries);
    for (const entry of entries) {
      const path = below(folder, entry.name);
      const part = await partOf(dir, path, entry);
      if (part === null) continue;
      if (isData.has(path) && part.kind !== "link") plan.data.push(part);
      else if (part.kind === "folder" && !codeFolders.has(entry.name)) waiting.push(path);
      else plan.parts.push(part);
    }
  }
  const guarded = await guardedIn(dir, listed, isData);
  for (const { folder, languages, names } of guarded) {
    const barred = [...languages].flatMap((language) => barredNames[language] ?? []);
    for (const name of barred)
      if (!names.has(name)) plan.parts.push({ kind: "barred", path: below(folder, name) });
  }
  return { ...plan, guarded };
}

async function partOf(dir: string, path: string, entry: Dirent): Promise<Part | null> {
  if (entry.isSymbolicLink()) return { kind: "link", path, target: await readlink(join(dir, path)) };
  if (entry.isDirectory()) return { kind: "folder", path };
  return entry.isFile() ? { kind: "file", path } : null;
}

/**
 * Folders in which Python and Node look for code before, or instead of, the files that were checked: a compiled module in
 * `__pycache__` is run in the place of its source, and a package in `node_modules` hides one that lies further up.
 */
const barredNames: Partial<Record<Language, readonly string[]>> = {
  python: ["__pycache__"],
  node: ["node_modules"],
};

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
