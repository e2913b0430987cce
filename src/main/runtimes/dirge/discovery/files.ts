import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";

/** The ending of a source file. */
export const ENDING = ".janet";

/** What dirge calls a plugin: the name of its folder, or of its only file without the ending. */
export function idOf(path: string): string {
  const name = basename(path);
  return name.endsWith(ENDING) ? name.slice(0, -ENDING.length) : name;
}

/**
 * The names of the files that dirge loads of a folder, in the order in which it does: those with the ending that lie in it, by name.
 * Folders inside are not looked at.
 */
export async function sourcesIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  const files: string[] = [];
  for (const name of names.filter((each) => each.endsWith(ENDING)))
    if ((await stat(join(dir, name)).catch(() => null))?.isFile()) files.push(name);
  return files.sort(byName);
}

/** In the order of their characters, which is the same on every computer. */
export function byName(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
