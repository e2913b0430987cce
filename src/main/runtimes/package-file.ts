import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";

/** Why a file of a package is not read. */
export type Unread = "missing" | "outside" | "no-file" | "too-large";

/**
 * The bytes of a small file inside a package. A link that leads out of the package is not followed, and no more than
 * `mostBytes` are read, whatever the file says of its size.
 */
export async function readPackageFile(
  dir: string,
  name: string,
  mostBytes: number,
): Promise<Buffer | Unread> {
  let file: string;
  let root: string;
  try {
    [root, file] = await Promise.all([realpath(dir), realpath(join(dir, name))]);
  } catch {
    return "missing";
  }
  if (!file.startsWith(root + sep)) return "outside";
  // Opening a pipe or following a link that was put there meanwhile must not be possible.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return "no-file";
    if (found.size > mostBytes) return "too-large";
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
