import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { PRIVATE_FILE, systemCode, writeError } from "./files/files.ts";

const mostNames = 1_000;

/**
 * Writes a new file and never overwrites one: where `name.zip` exists, it becomes `name (2).zip`. Only this person can
 * read it.
 *
 * @returns its path
 * @throws PatchbayError DISK_FULL, WRITE_FAILED
 */
export function saveNew(folder: string, name: string, content: string | Uint8Array): string {
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? name : `${stem} (${number})${extension}`);
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, content, { flag: "wx", mode: PRIVATE_FILE });
      return path;
    } catch (error) {
      const taken = systemCode(error) === "EEXIST";
      if (!taken) rmSync(path, { force: true });
      if (!taken || number === mostNames) throw writeError(error, path);
    }
  }
}
