import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PatchbayError } from "../../contract/index.ts";
import type { Attempt } from "./walls/wall.ts";

/** Where file tools may go: the agent's workspace, and nowhere in Patchbay's own folder but there. */
export interface WorkPlace {
  workspace: string;
  /** Patchbay's own folder; empty: it does not matter. */
  root: string;
  /** Told of what was kept from somebody who tried. */
  refused?(attempt: Attempt): void;
}

/** A path inside of a workspace: that of the workspace itself with all links resolved, and the names below it. */
export interface InsidePath {
  top: string;
  parts: readonly string[];
  /** As in {@link WorkPlace}. */
  refused?: WorkPlace["refused"];
}

/**
 * The real path of something inside the workspace, links resolved. For a file that is not there yet, its nearest
 * existing folder is resolved, so that no link leads out.
 * @throws PatchbayError TOOL_FAILED when it is outside or the workspace is missing
 */
export async function insideWorkspace(place: WorkPlace, path: string): Promise<InsidePath> {
  const { workspace, root, refused } = place;
  if (path.includes("\0"))
    throw new PatchbayError("TOOL_FAILED", "The path holds a character that no file name may have.");
  const top = await realpath(workspace).catch(() => {
    throw new PatchbayError("TOOL_FAILED", `The workspace folder ${workspace} is not there.`, {
      help: "Choose another workspace folder for the agent.",
    });
  });
  const target = await realOrFuture(isAbsolute(path) ? path : resolve(top, path));
  const own = root === "" ? null : await realpath(root).catch(() => null);
  if (!isInside(top, target)) {
    refused?.({ wall: "files", target, seenBy: "wall" });
    throw new PatchbayError("TOOL_FAILED", `${path} is outside of the workspace.`, {
      help: "Tools may only touch files of the agent's workspace folder.",
    });
  }
  // A workspace may lie in Patchbay's folder, as those that Patchbay makes do; it may not hold that folder.
  if (own !== null && isInside(top, own) && isInside(own, target)) {
    refused?.({ wall: "files", target, seenBy: "wall" });
    throw new PatchbayError("TOOL_FAILED", `${path} is in Patchbay's own folder, which no tool may touch.`, {
      help: "Choose another workspace folder for the agent.",
    });
  }
  return { top, parts: relative(top, target).split(sep).filter(Boolean), refused };
}

/**
 * Opens something inside of a workspace. The folders on the way are opened one from the other, without following links, so
 * that a folder or file that was replaced by a link meanwhile is not opened.
 *
 * @param flags of the last name; links are never followed and pipes never waited for
 * @param make makes folders that are missing
 * @param isPrivate what is made is for this account alone
 * @throws the error of the file system; `ELOOP` or `ENOTDIR` where a link was put
 */
export async function openInside(
  { top, parts, refused }: InsidePath,
  flags: number,
  { make = false, isPrivate = false }: { make?: boolean; isPrivate?: boolean } = {},
): Promise<FileHandle> {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0, O_RDONLY } = constants;
  const safe = flags | O_NOFOLLOW | O_NONBLOCK;
  const [fileMode, folderMode] = isPrivate ? [0o600, 0o700] : [0o644, 0o777];
  if (process.platform !== "linux") {
    const path = join(top, ...parts);
    if (make) await mkdir(dirname(path), { recursive: true, mode: folderMode });
    return open(path, safe, fileMode);
  }
  const folder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  let at = await open(top, folder);
  let path = top;
  try {
    for (const [index, name] of parts.entries()) {
      const isLast = index === parts.length - 1;
      path = `/proc/self/fd/${at.fd}/${name}`;
      if (!isLast && make) await mkdir(path, folderMode).catch(unlessThere);
      const next = await open(path, isLast ? safe : folder, fileMode);
      await at.close();
      at = next;
    }
    return at;
  } catch (error) {
    // It was a way without links when it was looked at.
    const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink() === true;
    if (isLink) refused?.({ wall: "files", target: join(top, ...parts), seenBy: "wall" });
    await at.close();
    throw error;
  }
}

/**
 * Writes a file into a folder of the workspace, for this account alone, under the name or the first free one like it. No link
 * is followed, also none that is put there meanwhile.
 *
 * @param name one name, without folders
 * @returns its path from the workspace
 * @throws PatchbayError TOOL_FAILED when the folder leads out of the workspace; errors of the file system
 */
export async function putIntoWorkspace(
  place: WorkPlace,
  folder: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
): Promise<string> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const ending = extname(name);
  const stem = name.slice(0, name.length - ending.length);
  const inside = await insideWorkspace(place, folder);
  for (let number = 1; ; number += 1) {
    const file = number === 1 ? name : `${stem}-${number}${ending}`;
    const path = { ...inside, parts: [...inside.parts, file] };
    const made = await openInside(path, O_WRONLY | O_CREAT | O_EXCL, { make: true, isPrivate: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST" || number > 10_000) throw error;
        return null;
      },
    );
    if (!made) continue;
    try {
      await made.writeFile(bytes);
      return `${folder}/${file}`;
    } finally {
      await made.close();
    }
  }
}

/** A path at which an open file or folder is found, whatever lies under its name now. */
export function pathOf(handle: FileHandle, { top, parts }: InsidePath): string {
  return process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : join(top, ...parts);
}

/** Whether a path is a folder or lies below it. Both must be real paths. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

async function realOrFuture(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) throw error;
    return join(await realOrFuture(dirname(path)), basename(path));
  }
}
