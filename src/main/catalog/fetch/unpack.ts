import { mkdir } from "node:fs/promises";
import { posix } from "node:path";
import * as tar from "tar";
import { PatchbayError } from "../../../contract/errors.ts";
import type { FetchOperations } from "./protocol.ts";
import { isZip, unzip } from "./unzip.ts";

const mostBytes = 2 * 1024 ** 3;
const mostEntries = 200_000;

/** The codes of the unpacker for an archive that is damaged or cut short. */
const damage = new Set(["TAR_BAD_ARCHIVE", "TAR_ABORT", "TAR_ENTRY_INVALID", "TAR_ENTRY_UNSUPPORTED"]);

/**
 * Unpacks an npm-style archive, or a bundle (`unzip.ts`), into `to`; the former without its outer folder, and without the owners and times of its files.
 * @throws PatchbayError UNSAFE_PACKAGE for paths and links that lead outside, special files and unreasonable sizes;
 * ARCHIVE_DAMAGED when it is cut short or no archive.
 */
export async function unpack({
  file,
  to,
}: FetchOperations["unpack"]["input"]): Promise<FetchOperations["unpack"]["output"]> {
  if (await isZip(file)) return { ...(await unzip({ file, to })), isBundle: true };
  await mkdir(to, { recursive: true });
  const seen = { files: 0, entries: 0, bytes: 0 };
  const faults: Error[] = [];
  const done = tar.x({
    file,
    cwd: to,
    strip: 1,
    noChmod: true,
    noMtime: true,
    preserveOwner: false,
    filter: (path, entry) => {
      if (faults.length > 0 || !("type" in entry)) return false;
      const fault = faultOf(path, entry, seen);
      if (fault) faults.push(fault);
      else normaliseMode(entry);
      return !fault;
    },
    onwarn: (code, message, data) => {
      if (damage.has(code)) faults.push(damaged(message));
      else if (code === "TAR_ENTRY_ERROR") faults.push(data instanceof Error ? data : new Error(message));
    },
  });
  // The unpacker's own error comes last in `faults`: a refused entry explains more than that the archive could not be
  // read to its end.
  await done.catch((error: Error) => faults.push(error));
  if (faults[0]) throw faults[0];
  if (seen.files === 0) throw damaged("it holds no files");
  return { files: seen.files, isBundle: false, isSigned: false };
}

function faultOf(
  path: string,
  entry: tar.ReadEntry,
  seen: { files: number; entries: number; bytes: number },
): Error | null {
  seen.entries += 1;
  seen.bytes += entry.size ?? 0;
  if (seen.bytes > mostBytes || seen.entries > mostEntries)
    return unsafe("The package is unreasonably large.");
  if (leadsOutside(path)) return unsafe(`“${path}” in the package leads out of its folder.`, { path });
  switch (entry.type) {
    case "File":
    case "OldFile":
    case "ContiguousFile":
      seen.files += 1;
      return null;
    case "Directory":
    case "GNUDumpDir":
      return null;
    case "SymbolicLink":
      return faultOfLink(path, entry.linkpath ?? "");
    default:
      return unsafe(`“${path}” in the package is a ${entry.type}, which a plugin cannot hold.`, { path });
  }
}

function faultOfLink(path: string, target: string): Error | null {
  const inside = path.split("/").slice(1).join("/");
  const end = posix.join(posix.dirname(inside), target);
  if (!posix.isAbsolute(target) && !leadsOutside(end)) return null;
  return unsafe(`The link “${path}” leads out of the package, to “${target}”.`, { path, target });
}

function leadsOutside(path: string): boolean {
  return posix.isAbsolute(path) || /^[a-zA-Z]:/.test(path) || path.split(/[/\\]/).includes("..");
}

/** Sets an entry's permissions: readable by all, writable by the owner, executable if it was before. */
function normaliseMode(entry: tar.ReadEntry): void {
  const isFolder = entry.type === "Directory" || entry.type === "GNUDumpDir";
  entry.mode = isFolder || ((entry.mode ?? 0) & 0o100) !== 0 ? 0o755 : 0o644;
}

function unsafe(message: string, details?: Record<string, unknown>): PatchbayError {
  return new PatchbayError("UNSAFE_PACKAGE", message, details && { details });
}

function damaged(reason: string): PatchbayError {
  return new PatchbayError("ARCHIVE_DAMAGED", "The package file is damaged or cut short.", {
    details: { reason },
  });
}
