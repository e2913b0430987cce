import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { ensurePrivateFolder, writeError } from "../store/index.ts";

/**
 * Moves the vault's files, copies and key file included, into a folder of their own, from which they can be put back.
 *
 * @returns the folder; null when there was nothing to move
 * @throws PatchbayError WRITE_FAILED
 */
export function setVaultAside(home: string, now: Date): string | null {
  const files = readdirSync(home).filter(
    (name) => /^vault\.(?:json|key)/.test(name) || /^vault\.damaged/.test(name),
  );
  if (files.length === 0) return null;
  const folder = join(home, `vault-set-aside-${now.toISOString().replaceAll(/[:.]/g, "-")}`);
  ensurePrivateFolder(folder);
  try {
    for (const name of files) renameSync(join(home, name), join(folder, name));
  } catch (error) {
    throw writeError(error, folder);
  }
  return folder;
}
