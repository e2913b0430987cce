import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { readError, systemCode } from "./files.ts";

/** What goes while it is looked at, and what others have closed to this person inside of a workspace. */
const passedOver = new Set(["ENOENT", "EACCES", "EPERM"]);

/**
 * Every file below a folder with its length, one after the other, so that nobody's write waits behind them. Links are
 * neither followed nor counted.
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
