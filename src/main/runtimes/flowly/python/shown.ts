import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { PythonFacts } from "./ask.ts";

/** Folders that a Python may lie in together with much else. */
const shared = ["/", "/usr", "/usr/local", "/opt", "/opt/local", "/opt/homebrew"];

/**
 * The folders and files that have to be there for a Python to run with its standard library and its packages. Of a Python
 * that has a folder of its own (pyenv, conda, a framework, a virtual environment) that is the folder.
 */
export function shownFor(file: string, facts: PythonFacts): string[] {
  const { prefix, base, stdlib, libraries } = facts;
  const own = [prefix, base].filter((folder) => !isShared(folder));
  const parts = isShared(base) ? stdlib.flatMap((folder) => [folder, join(folder, "lib-dynload")]) : [];
  const loaded = libraries.filter(isAbsolute).map((library) => dirname(library));
  const all = [file, ...own, ...parts, ...siteFolders(facts), ...loaded.filter(isOfNobodyElse)];
  return outer(new Set(all.flatMap((each) => [each, realOf(each)])));
}

/** The folders with packages that a Python has itself, besides its standard library. */
export function siteFolders({ site, path }: PythonFacts): string[] {
  return [...new Set([...path, ...site])].filter((folder) => /[/\\](?:site|dist)-packages$/.test(folder));
}

/** A folder with other things in it than Python, or with the whole home folder. */
function isShared(folder: string): boolean {
  return shared.includes(folder) || !isAbsolute(folder) || isInside(folder, homedir());
}

/** The system's own libraries are there for every program. */
function isOfNobodyElse(folder: string): boolean {
  return !isShared(folder) && !/^\/(?:usr\/)?lib(?:32|64|x32)?(?:\/|$)/.test(folder);
}

function outer(all: ReadonlySet<string>): string[] {
  return [...all].filter((path) => ![...all].some((other) => other !== path && isInside(other, path)));
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
