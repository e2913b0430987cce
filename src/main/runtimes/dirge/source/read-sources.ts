import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import type { SourceFile } from "./scan.ts";

/** Most bytes of all source files of a plugin: the app itself reads them, and they are a stranger's. */
const MOST_BYTES = 1024 * 1024;
/** Most source files of a plugin. */
const MOST_FILES = 200;

/**
 * The texts of a plugin's source files. Never is more read than one plugin may have, however large the files are.
 * @param id dirge's own name of the plugin, for sentences
 * @throws PatchbayError MANIFEST_INVALID when it is too much
 */
export async function readSources(id: string, dir: string, names: readonly string[]): Promise<SourceFile[]> {
  if (names.length > MOST_FILES)
    throw tooMuch(
      `${id} has ${names.length} source files; ${MOST_FILES} are the most that a plugin may have.`,
    );
  const sources: SourceFile[] = [];
  let left = MOST_BYTES;
  for (const name of names) {
    const bytes = await beginning(join(dir, name), left + 1);
    left -= bytes.length;
    if (left < 0)
      throw tooMuch(`The source of ${id} is larger than a megabyte, which is the most that is read.`);
    sources.push({ name, text: bytes.toString("utf8") });
  }
  return sources;
}

async function beginning(path: string, most: number): Promise<Buffer> {
  // A pipe that took the file's place must not keep anybody waiting.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(most);
    let length = 0;
    while (length < most) {
      const { bytesRead } = await file.read(buffer, length, most - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

function tooMuch(sentence: string): PatchbayError {
  return new PatchbayError("MANIFEST_INVALID", `${sentence} Its author must make it smaller.`);
}
