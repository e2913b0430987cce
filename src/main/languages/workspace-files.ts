import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join, relative, sep } from "node:path";
import { PatchbayError } from "../../contract/index.ts";

/** Bytes of a file that is shown to a server. */
const LARGEST_FILE = 4 * 1024 * 1024;
/** Entries of a workspace that are looked at for a file to ask about. */
const MOST_ENTRIES = 20_000;
/** Folders in which lies what is not the person's own code. */
const passedOver = new Set([
  "node_modules",
  "vendor",
  "target",
  "dist",
  "build",
  "out",
  "__pycache__",
  "venv",
]);

/** The end of a file's name, without the dot. */
export function endOf(file: string): string {
  return extname(file).slice(1).toLowerCase();
}

/**
 * @param workspace its real path
 * @returns the real path of a file
 * @throws PatchbayError BAD_INPUT where there is none, or it lies outside of the workspace
 */
export async function inside(workspace: string, file: string): Promise<string> {
  const found = await realpath(isAbsolute(file) ? file : join(workspace, file)).catch(() => null);
  if (found === null) throw new PatchbayError("BAD_INPUT", `There is no file ${file} in the workspace.`);
  const way = relative(workspace, found);
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new PatchbayError("BAD_INPUT", `${file} lies outside of the agent's workspace folder.`);
  }
  return found;
}

/** @throws PatchbayError BAD_INPUT for a file of more than 4 MiB */
export async function textOf(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > LARGEST_FILE)
    throw new PatchbayError("BAD_INPUT", `${file} is too large for a language server.`);
  return readFile(file, "utf8");
}

/** A file with one of these ends, the nearest to the top of the workspace; null: there is none. */
export async function sampleFile(workspace: string, ends: readonly string[]): Promise<string | null> {
  let left = MOST_ENTRIES;
  const folders = [workspace];
  for (let folder = folders.shift(); folder !== undefined && left > 0; folder = folders.shift()) {
    const entries = await entriesOf(folder);
    left -= entries.length;
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name))
        folders.push(path);
      if (entry.isFile() && ends.includes(endOf(entry.name)) && (await isAskable(path))) return path;
    }
  }
  return null;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}

async function isAskable(file: string): Promise<boolean> {
  return stat(file).then(
    ({ size }) => size > 0 && size <= LARGEST_FILE,
    () => false,
  );
}
