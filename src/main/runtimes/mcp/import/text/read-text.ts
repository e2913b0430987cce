import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Most bytes of a file that are read; Claude Code keeps much more than servers in its own. */
const MOST_BYTES = 32 * 1024 * 1024;

/** What came of reading a file. */
export type ReadText =
  | { kind: "text"; text: string }
  | { kind: "missing" }
  | { kind: "unreadable"; why: string };

/**
 * The text of another program's file. Only plain files are read, up to 32 MB, and nothing of them is changed: not even a lock
 * is put beside them.
 */
export async function readText(file: string, mostBytes = MOST_BYTES): Promise<ReadText> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    // A pipe without a writer would otherwise be waited for.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
    return { kind: "unreadable", why: code === "EACCES" ? "you may not read it" : "it cannot be opened" };
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { kind: "unreadable", why: "it is no plain file" };
    if (found.size > mostBytes) return { kind: "unreadable", why: "it is larger than 32 MB" };
    const bytes = Buffer.alloc(found.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { kind: "text", text: textOf(bytes.subarray(0, length)) };
  } finally {
    await handle.close();
  }
}

function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.subarray(2).toString("utf16le");
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}
