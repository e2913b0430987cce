import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { readError, systemCode } from "./files.ts";

/**
 * Errors that are ignored: a file that is removed meanwhile, and folders in a workspace that this person may not read.
 */
const passedOver = new Set(["ENOENT", "EACCES", "EPERM"]);

/**
 * Every file below a folder with its length in bytes. Files are read one after the other, so that writes need not wait
 * behind many reads. Links are neither followed nor counted.
 *
 * @throws PatchbayError READ_FAILED
 */
export async function* filesBelow(folder: string): AsyncGenerator<{ path: string; bytes: number }> {
  for (const entry of (await unlessGone(folder, readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    if (!entry.isFile()) continue;
    const found = await unlessGone(path, lstat(path));
    if (found) yield { path, bytes: found.size };
  }
}

async function unlessGone<T>(path: string, reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (passedOver.has(systemCode(error) ?? "")) return undefined;
    throw readError(error, path);
  }
}
