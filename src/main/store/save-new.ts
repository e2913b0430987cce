import { join } from "node:path";
import { writeNewFile } from "./files/files.ts";

/**
 * Writes a new file and never overwrites one: where `name.zip` exists, it becomes `name (2).zip`. Only this person can
 * read it.
 *
 * @returns its path
 * @throws PatchbayError DISK_FULL, WRITE_FAILED
 */
export async function saveNew(folder: string, name: string, content: string | Uint8Array): Promise<string> {
  const numbered = (number: number) => ` (${number})`;
  return join(folder, await writeNewFile(folder, name, content, { numbered }));
}
