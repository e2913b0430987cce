import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { McpServer } from "./server-file.ts";

/** Files that say that a folder is a whole program: of Node, Python, Rust, Go, or an environment of Python. */
const marks = ["package.json", "pyproject.toml", "pyvenv.cfg", "Cargo.toml", "go.mod"];
const code = /\.(?:[cm]?[jt]s|py|rb|php|jar|sh|pl|lua)$/i;
const interpreters = /^(?:node|deno|bun|python[\d.]*|uv|ruby|php|java|perl|lua|bash|sh|zsh)(?:\.exe)?$/i;
const MOST_STEPS = 5;

/**
 * Where the code of a program lies that a command names by its whole path: the folder of its package, or the file alone. The home folder
 * and what lies above it is nobody's package. Whoever agrees to the command has read the path in it.
 */
export function ownCodeOf(server: McpServer, home = homedir()): string[] {
  if (server.type !== "program") return [];
  const { command, args } = server;
  const name = command.split(/[\\/]/).at(-1) ?? command;
  const script = interpreters.test(name)
    ? args.find((arg) => typeof arg === "string" && isAbsolute(arg) && code.test(arg))
    : undefined;
  const found = [command, script].filter(
    (path) => typeof path === "string" && isAbsolute(path) && isFile(path),
  );
  return [
    ...new Set(
      found.flatMap((path) => [placeOf(path as string, home), placeOf(realOf(path as string), home)]),
    ),
  ];
}

function placeOf(file: string, home: string): string {
  let folder = dirname(file);
  for (let step = 0; step < MOST_STEPS && folder !== dirname(folder); step++, folder = dirname(folder)) {
    if (!relative(folder, home).startsWith("..")) return file;
    if (marks.some((mark) => existsSync(join(folder, mark)))) return folder;
  }
  return file;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
