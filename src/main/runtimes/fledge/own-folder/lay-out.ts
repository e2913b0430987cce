import { createHash } from "node:crypto";
import {
  chmod,
  constants,
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { basename, join, posix, relative, sep } from "node:path";
import { z } from "zod";
import type { Shown } from "../../../platform/walls/wall.ts";
import { plantedIn } from "./guarded.ts";
import type { Part, Plan } from "./plan.ts";

/*
 * The plugin's programs may run while this is done, and change what lies in the places below. So nothing here goes
 * through a path of which the plugin can change more than the last name: each open folder has a place of its own that
 * the plugin cannot rename, and no step follows a link in one.
 */

/** The place on disk of an open folder's data. */
export function placeOf(home: string, folder: string): string {
  return join(home, folder === "" ? "top" : createHash("sha256").update(folder).digest("hex").slice(0, 16));
}

/** The same where the data lies in a copy of the plugin's folder: see {@link copyOut}. */
export function placeInCopy(home: string): (folder: string) => string {
  return (folder) => join(placeOf(home, ""), folder);
}

/**
 * Makes the places for a plugin's data, and what its walls show: the places where its folders are, and over them, not to
 * be changed, what was installed.
 *
 * @param home the folder of Patchbay's own for this agent's plugin; the plugin sees only the places in it
 */
export async function layOut(dir: string, home: string, plan: Plan): Promise<Shown[]> {
  const empty = join(home, "empty");
  await mkdir(empty, { recursive: true, mode: 0o700 });
  const shown: Shown[] = [];
  for (const folder of plan.open) {
    await mkdir(placeOf(home, folder), { recursive: true, mode: 0o700 });
    if (folder !== "") await makeRoom(home, { kind: "folder", path: folder });
    shown.push({ at: join(dir, folder), from: placeOf(home, folder), access: "write" });
  }
  for (const part of plan.parts) {
    await makeRoom(home, part);
    if (part.kind === "link") continue;
    const at = join(dir, part.path);
    shown.push({ at, from: part.kind === "barred" ? empty : at, access: "read" });
  }
  for (const part of plan.data) await giveData(dir, home, placed(home, part), part);
  await forgetOlder(home, madeFor(plan), (path) => placed(home, { path }));
  return shown;
}

/**
 * Where no wall stands: a copy of the plugin's folder with its data in it. What was installed is copied afresh; large
 * folders of code are links. Resolves with the path of the copy.
 */
export async function copyOut(dir: string, home: string, plan: Plan): Promise<string> {
  const copy = placeOf(home, "");
  const at = (path: string) => join(copy, path);
  await mkdir(copy, { recursive: true, mode: 0o700 });
  for (const folder of plan.open) if (folder !== "") await asFolder(at(folder), home);
  for (const part of plan.parts) {
    await rm(at(part.path), { recursive: true, force: true });
    const from = join(dir, part.path);
    switch (part.kind) {
      case "barred":
        break;
      case "link":
        await symlink(part.target, at(part.path));
        break;
      case "folder":
        await symlink(from, at(part.path), process.platform === "win32" ? "junction" : "dir");
        break;
      case "file":
        await copyFile(from, at(part.path), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
        await chmod(at(part.path), (await stat(from)).mode);
    }
  }
  for (const part of plan.data) await giveData(dir, home, at(part.path), part);
  await forgetOlder(home, madeFor(plan), at);
  return copy;
}

function madeFor({ open, parts }: Plan): string[] {
  return [...open.filter((folder) => folder !== ""), ...parts.map(({ path }) => path)];
}

/** The place for a part within the data of the folder that holds it. */
function placed(home: string, { path }: Pick<Part, "path">): string {
  const folder = posix.dirname(path);
  return join(placeOf(home, folder === "." ? "" : folder), posix.basename(path));
}

/** Something can only be shown where something is: an empty file or folder that it covers. */
async function makeRoom(home: string, part: Part): Promise<void> {
  const path = placed(home, part);
  const found = await lstat(path).catch(() => null);
  switch (part.kind) {
    case "file":
      if (found?.isFile()) return;
      if (found) await leave(path, home);
      return writeFile(path, "", { flag: "wx", mode: 0o600 }).catch(unlessThere);
    case "folder":
    case "barred":
      return asFolder(path, home);
    case "link":
      if (found?.isSymbolicLink() && (await readlink(path).catch(() => "")) === part.target) return;
      if (found) await leave(path, home);
      return symlink(part.target, path).catch(unlessThere);
  }
}

async function asFolder(path: string, home: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found?.isDirectory()) return;
  if (found) await leave(path, home);
  await mkdir(path, { mode: 0o700 }).catch(unlessThere);
}

/**
 * What the manifest calls data is the plugin's own once it has it: it is given as installed where there is none yet. It
 * is copied where the plugin sees nothing, and comes to its place by its name alone.
 */
async function giveData(dir: string, home: string, to: string, { kind, path }: Part): Promise<void> {
  if (kind !== "file" && kind !== "folder") return;
  if (await lstat(to).catch(() => null)) return;
  const made = await mkdtemp(join(home, "given-"));
  try {
    await cp(join(dir, path), join(made, "data"), { recursive: true, verbatimSymlinks: true });
    await rename(join(made, "data"), to).catch(unlessThere);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/**
 * Puts aside what the plugin added where a language would run it in the place of what was installed, or of the language's
 * own, and was checked. What was there stays in Patchbay's folder, where no program sees it.
 *
 * @param at the place of an open folder's data
 * @returns the paths as the plugin sees them
 */
export async function putAside(
  dir: string,
  home: string,
  { open, guarded }: Plan,
  at: (folder: string) => string,
): Promise<string[]> {
  const nearest = open.toSorted((one, other) => other.length - one.length);
  const onDisk = (path: string) => {
    const folder = nearest.find((each) => isBelow(path, join(dir, each)));
    return folder === undefined ? path : join(at(folder), relative(join(dir, folder), path));
  };
  const planted: string[] = [];
  for (const each of guarded) {
    for (const name of await plantedIn(dir, each, onDisk)) {
      await moveAway(join(at(each.folder), name), home);
      planted.push(join(dir, each.folder, name));
    }
  }
  return planted;
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** Puts what lies there out of the way: removed, or, a folder with something in it, moved to where nobody sees it. */
async function leave(path: string, home: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isDirectory()) return unlink(path);
  try {
    await rmdir(path);
  } catch {
    await moveAway(path, home);
  }
}

/** Only its name is changed: to remove a folder, one would have to go through others that a program may still hold. */
async function moveAway(path: string, home: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  const aside = join(home, "aside");
  await mkdir(aside, { recursive: true, mode: 0o700 });
  await rename(path, join(aside, `${basename(path)}-${found.ino}-${Math.trunc(found.ctimeMs)}`));
}

const listSchema = z.array(z.string()).catch([]);

/** Removes what was made for an older version and is not for this one; a folder with data in it stays. */
async function forgetOlder(
  home: string,
  now: readonly string[],
  at: (path: string) => string,
): Promise<void> {
  const list = join(home, "made.json");
  const text = await readFile(list, "utf8").catch(() => "[]");
  const kept = new Set(now);
  for (const path of listSchema.parse(safely(text)).toReversed()) {
    if (kept.has(path)) continue;
    const found = await lstat(at(path)).catch(() => null);
    if (found?.isDirectory()) await rmdir(at(path)).catch(() => {});
    else if (found) await unlink(at(path)).catch(() => {});
  }
  if (text !== JSON.stringify(now)) await writeFile(list, JSON.stringify(now), { mode: 0o600 });
}

function safely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return [];
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (!["EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR"].includes(error.code ?? "")) throw error;
}
