import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { PatchbayError, type PlaceKind, type PlaceList } from "../../contract/index.ts";

const mostEntries = 2_000;

/**
 * Lists what is in a folder below `top`. Screens may browse nothing else: who holds their token should not see the rest
 * of the machine. Links are resolved first, so a link that leads out of `top` is refused.
 * @throws PatchbayError FORBIDDEN outside of `top`, SOURCE_MISSING, READ_FAILED
 */
export async function listPlaces(top: string, path = top): Promise<PlaceList> {
  const root = await realpath(top);
  const folder = await realpath(path).catch((cause: unknown) => {
    throw new PatchbayError("SOURCE_MISSING", `There is no folder ${path}.`, { cause });
  });
  if (!isWithin(root, folder))
    throw new PatchbayError("FORBIDDEN", "Only what lies in your home folder is listed here.", {
      help: "Type the whole path instead.",
    });
  const found = await read(folder);
  const visible = found.filter(({ name }) => !name.startsWith("."));
  const entries = await Promise.all(visible.map((entry) => describe(root, folder, entry)));
  const known = entries.filter((entry) => entry !== null).sort(foldersFirst);
  return {
    path: folder,
    parent: folder === root ? null : dirname(folder),
    entries: known.slice(0, mostEntries),
    cut: known.length > mostEntries,
  };
}

async function read(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    throw new PatchbayError("READ_FAILED", `The folder ${folder} cannot be read.`, { cause });
  }
}

async function describe(
  root: string,
  folder: string,
  entry: Dirent,
): Promise<PlaceList["entries"][number] | null> {
  const path = join(folder, entry.name);
  const kind = entry.isSymbolicLink() ? await kindOfTarget(root, path) : kindOf(entry);
  return kind && { name: entry.name, path, kind };
}

async function kindOfTarget(root: string, path: string): Promise<PlaceKind | null> {
  try {
    return isWithin(root, await realpath(path)) ? kindOf(await stat(path)) : null;
  } catch {
    return null;
  }
}

function kindOf(entry: { isDirectory(): boolean; isFile(): boolean }): PlaceKind | null {
  if (entry.isDirectory()) return "folder";
  return entry.isFile() ? "file" : null;
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function foldersFirst(a: { kind: PlaceKind; name: string }, b: { kind: PlaceKind; name: string }): number {
  if (a.kind !== b.kind) return a.kind === "folder" ? -1 : 1;
  return a.name.localeCompare(b.name, undefined, { numeric: true });
}
