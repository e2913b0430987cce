import { posix } from "node:path";
import type { Word } from "../shell/words.ts";

/** Where commands run, as far as it is known. */
export interface Place {
  home: string;
  workspace: string;
  /** The current folder; null when a `cd` led somewhere unknown. */
  cwd: string | null;
  temporary: string[];
}

/** Absolute path that a word leads to, with `/` between its parts; null when that cannot be told here. */
export function pathOf(word: Word, place: Place): string | null {
  let text = slashes(word.text);
  if (word.tilde) text = text.replace(/^~(?=\/|$)/, place.home).replace(/^~([\w.-]+)/, "/home/$1");
  if (word.dynamic) {
    text = text.replace(/\$(HOME\b|\{HOME\})/g, place.home);
    if (place.cwd !== null) text = text.replace(/\$(PWD\b|\{PWD\}|\(pwd\))/g, place.cwd);
    if (text.includes("$")) return null;
  }
  return absolute(text, place.cwd);
}

/** Absolute and normal form of a path; null when it is relative to an unknown folder. */
export function absolute(text: string, cwd: string | null): string | null {
  const path = slashes(text);
  if (/^(\/|[A-Za-z]:\/)/.test(path)) return trimmed(posix.normalize(path));
  return cwd === null ? null : trimmed(posix.normalize(`${slashes(cwd)}/${path}`));
}

export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** A path glob, compiled: `**` any folders, `*` and `?` within one name, `[…]`, `{a,b}`. */
export type PathPattern = { text: string; matches(path: string): boolean };

/**
 * Compiles a pattern of a protected path. `~/x` is in the home folder, `/x` is absolute, a name without a slash matches
 * in any folder, and everything else is relative to the workspace. Whatever is inside a match is matched, too.
 */
export function compilePattern(text: string, place: Place): PathPattern {
  let glob = slashes(text.trim());
  if (glob.startsWith("~/")) glob = place.home + glob.slice(1);
  else if (glob.startsWith("**/")) glob = `/${glob}`;
  else if (!glob.includes("/")) glob = `/**/${glob}`;
  else if (!/^(\/|[A-Za-z]:)/.test(glob)) glob = `${place.workspace}/${glob.replace(/^\.\//, "")}`;
  const expression = new RegExp(`^${globSource(glob)}(?:/.*)?$`, caseBlind ? "i" : "");
  return {
    text,
    // The second test matches the folder itself when the pattern names all of its content, as `.git/**` does for
    // `.git`.
    matches: (path) => expression.test(path) || (glob.endsWith("/**") && expression.test(`${path}/`)),
  };
}

const caseBlind = process.platform === "win32" || process.platform === "darwin";

function globSource(glob: string): string {
  return glob
    .replace(/[.+^$()|\\]/g, "\\$&")
    .replace(/\{([^{}]*)\}/g, (_all, list: string) => `(?:${list.split(",").join("|")})`)
    .replace(/\*\*\/|\*\*|\*|\?(?!:)/g, (part) => {
      if (part === "**/") return "(?:.*/)?";
      if (part === "**") return ".*";
      return part === "*" ? "[^/]*" : "[^/]";
    });
}

/** A path with `/` between its parts, as all paths are compared here. */
export function slashes(text: string): string {
  return process.platform === "win32" ? text.replaceAll("\\", "/") : text;
}

function trimmed(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") : path;
}
