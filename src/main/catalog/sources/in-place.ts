import { createHash } from "node:crypto";
import type { Artifact } from "../../../contract/index.ts";
import { readTree, type TreeEntry } from "../tree.ts";

/** Entries that are no part of a plugin, and often larger than the rest. */
export const notOfPlugin: readonly string[] = [".git", ".hg", ".svn", ".DS_Store"];

/**
 * What the files of a linked folder are now, without reading them: another value whenever one of them was written. Null for
 * what has no files, and for a folder of which that cannot be said, such as one with a pipe in it.
 */
export async function stateInPlace(artifact: Artifact, signal: AbortSignal): Promise<string | null> {
  if (artifact.kind !== "folder") return null;
  const entries = await readTree(artifact.dir, { ignore: notOfPlugin, outside: true, signal }).catch(
    () => null,
  );
  signal.throwIfAborted();
  if (entries === null) return null;
  const total = createHash("sha256");
  const { file } = artifact;
  for (const entry of entries)
    if (file === undefined || entry.path === file) total.update(`${lineOf(entry)}\n`);
  return `stamps-${total.digest("hex")}`;
}

function lineOf(entry: TreeEntry): string {
  const path = JSON.stringify(entry.path);
  switch (entry.kind) {
    case "folder":
      return `folder ${path}`;
    case "link":
      return `link ${path} ${JSON.stringify(entry.target)}`;
    case "file": {
      const { size, mtimeNs, ctimeNs, inode, mode } = entry.stamp;
      return `file ${path} ${[size, mtimeNs, ctimeNs, inode, mode].join(" ")}`;
    }
  }
}
