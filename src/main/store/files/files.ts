import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { PatchbayError } from "../../../contract/errors.ts";
import type { Clock } from "../../base/clock.ts";

/** Mode of every file that Patchbay keeps for itself. */
export const PRIVATE_FILE = 0o600;
/** Mode of every folder that Patchbay keeps for itself. */
export const PRIVATE_FOLDER = 0o700;

/** Makes a folder, and those above it, that only this person can enter. */
export function ensurePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  } catch (error) {
    throw writeError(error, path);
  }
}

/**
 * Replaces a file in one step: after a crash or a full disk it holds either all of the old or all of the new text, and
 * what it holds has reached the disk. Only this person can read it.
 *
 * @throws PatchbayError DISK_FULL, WRITE_FAILED; the file is then as it was
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    const file = openSync(draft, "wx", PRIVATE_FILE);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    discard(draft);
    throw writeError(error, path);
  }
}

/** How often a name is tried with another number. */
const MOST_NAMES = 10_000;

/**
 * Writes a file that was not there, which only this person can read. The folder is made when it is missing.
 *
 * @param numbered what stands before the extension where the name is taken; the second is 2
 * @param folderMode of folders that are made
 * @returns the name that it got
 * @throws PatchbayError DISK_FULL, WRITE_FAILED
 */
export async function writeNewFile(
  folder: string,
  name: string,
  content: string | Uint8Array,
  { numbered, folderMode }: { numbered(number: number): string; folderMode?: number },
): Promise<string> {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${stem}${numbered(number)}${extension}`;
    const path = join(folder, free);
    try {
      await mkdir(folder, { recursive: true, mode: folderMode });
      await writeFile(path, content, { flag: "wx", mode: PRIVATE_FILE });
      return free;
    } catch (error) {
      const taken = systemCode(error) === "EEXIST";
      if (!taken) await rm(path, { force: true }).catch(() => {});
      if (!taken || number === MOST_NAMES) throw writeError(error, path);
    }
  }
}

/**
 * Removes a draft after a failed write. A failure here is ignored: it has the same cause as that of the write, which is
 * reported.
 */
function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    return;
  }
}

/**
 * Flushes a folder to disk, so that a rename in it survives a power cut. Does nothing on Windows, which cannot open
 * folders and keeps renames by itself.
 */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The size in bytes, or null when there is no such file. */
export function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The PatchbayError for a failed write: DISK_FULL or WRITE_FAILED. */
export function writeError(error: unknown, path: string): PatchbayError {
  if (error instanceof PatchbayError) return error;
  const code = systemCode(error);
  const name = basename(path);
  const details = { path, ...(code && { reason: code }) };
  if (code && FULL.has(code)) {
    return new PatchbayError("DISK_FULL", `The disk is full, so ${name} could not be saved.`, {
      details,
      cause: error,
    });
  }
  return new PatchbayError("WRITE_FAILED", `${name} could not be saved: ${reasonOf(error, code)}.`, {
    details,
    cause: error,
  });
}

/** The PatchbayError for a failed read: READ_FAILED. */
export function readError(error: unknown, path: string): PatchbayError {
  if (error instanceof PatchbayError) return error;
  const code = systemCode(error);
  return new PatchbayError("READ_FAILED", `${basename(path)} could not be read: ${reasonOf(error, code)}.`, {
    details: { path, ...(code && { reason: code }) },
    cause: error,
  });
}

/** The operating system's name of an error (`ENOENT`, …), when it is one. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const SENTENCES: Record<string, string> = {
  EACCES: "Patchbay has no permission to do so",
  EPERM: "Patchbay has no permission to do so",
  EROFS: "the disk is read-only",
  EISDIR: "a folder is in its place",
  ENOTDIR: "a file is in the place of its folder",
  ENOENT: "its folder is gone",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk reported an error",
};

function reasonOf(error: unknown, code: string | undefined): string {
  return (code && SENTENCES[code]) ?? (error instanceof Error ? error.message : String(error));
}

/** The present time in a form that fits into a file name. */
export function stampOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-");
}
