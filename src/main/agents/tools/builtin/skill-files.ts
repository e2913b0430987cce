import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { type InsidePath, isInside } from "../../../platform/workspace.ts";

/** The folders beside the text of a skill that it may name files in. */
const FOLDERS = ["references", "templates", "scripts", "assets"];

/**
 * A file of one of these skills: its own text, or something in one of the folders beside it. Nothing else that lies there
 * is one, and nothing that a link leads to elsewhere.
 * @param skills real paths, as they were when the plugin's offer was judged; one that is a link by now counts no more
 * @returns null when the path is no such file
 */
export async function ofSkill(skills: readonly string[], path: string): Promise<InsidePath | null> {
  if (!isAbsolute(path) || path.includes("\0") || skills.length === 0) return null;
  const target = await realpath(path).catch(() => null);
  if (target === null) return null;
  for (const skill of skills) {
    const top = dirname(skill);
    const isItself = target === skill;
    if (
      !isItself &&
      !FOLDERS.some((folder) => target !== join(top, folder) && isInside(join(top, folder), target))
    )
      continue;
    if ((await realpath(skill).catch(() => null)) !== skill) continue;
    const parts = isItself ? [basename(skill)] : relative(top, target).split(sep);
    return { top, parts };
  }
  return null;
}
