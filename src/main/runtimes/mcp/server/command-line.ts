import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, isAbsolute, join, relative, resolve } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import type { Wall } from "../../../platform/walls/wall.ts";
import { argumentsOf, type Filling, textOf } from "./parts.ts";
import type { McpServer } from "./server-file.ts";

/** How a server's program is started. */
export interface CommandLine {
  file: string;
  args: string[];
  env: Record<string, string>;
  /** It is started in the plugin's folder and not in the workspace. */
  inPlugin: boolean;
}

/** How a person installs the programs that servers are usually started by. */
const installs: Record<string, string> = {
  uvx: "Install uv, or set the path of uvx.",
  uv: "Install uv, or set its path.",
  docker: "Install Docker or another program that is called docker, and start it.",
  npx: "Install the package by its name in Discover: Patchbay then runs it with its own Node.",
  node: "Install Node.js, or install the package by its name in Discover.",
  dnx: "Install .NET 10.",
};

/**
 * The command line of a server, filled in.
 *
 * @param path where programs are looked for
 * @param own the Node that runs servers in JavaScript
 * @throws PatchbayError PROGRAM_MISSING, MANIFEST_INVALID
 */
export function commandLineOf(
  server: Exclude<McpServer, { type: "remote" }>,
  {
    filling,
    path,
    own,
  }: { filling: Filling; path: string; own: { file: string; env: Record<string, string> } },
): CommandLine {
  const env = Object.fromEntries(
    Object.entries(server.env).flatMap(([name, part]) => {
      const value = textOf(part, filling);
      // An input that is not set leaves its variable out; one that is there and empty is passed on.
      return value === "" && typeof part !== "string" ? [] : [[name, value]];
    }),
  );
  const args = argumentsOf(server.args, filling);
  const inPlugin = server.cwd === "plugin";
  const dir = filling.places.plugin;
  if (server.type === "node") {
    const entry = inside(dir, server.entry);
    return { file: own.file, args: [entry, ...args], env: { ...env, ...own.env }, inPlugin };
  }
  const { command } = server;
  const isOwn = command.startsWith("./") || command.startsWith("../");
  return { file: isOwn ? inside(dir, command) : found(command, path), args, env, inPlugin };
}

/** Whether its program fetches the server from somewhere before it starts it. */
export function mayFetch(server: McpServer): boolean {
  return server.type === "program" && ["uvx", "uv", "docker", "dnx", "npx"].includes(server.command);
}

/** The person's folder that it is started in where it may read that; null: it has none, or may not. */
export function grantedFolder(
  { cwd }: Exclude<McpServer, { type: "remote" }>,
  { read, write }: Pick<Wall, "read" | "write">,
): string | null {
  if (typeof cwd !== "object" || !existsSync(cwd.folder)) return null;
  const isGranted = [...read, ...write].some((place) => !relative(place, cwd.folder).startsWith(".."));
  return isGranted ? cwd.folder : null;
}

function inside(dir: string, name: string): string {
  const file = resolve(dir, name);
  const way = relative(dir, file);
  if (way.startsWith("..") || isAbsolute(way))
    throw new PatchbayError(
      "MANIFEST_INVALID",
      `The file ${name} that it starts lies outside of its folder.`,
      {
        help: "Its author must correct what it starts.",
      },
    );
  return file;
}

/** The folders in which a program is looked for; none for one that is named by its whole path. */
export function foldersOf(command: string, path: string): string[] {
  return isAbsolute(command) ? [] : path.split(delimiter).filter((folder) => folder !== "");
}

/** Where a program lies; null: it is not there. */
export function foundIn(command: string, path: string): string | null {
  const files = isAbsolute(command)
    ? [command]
    : foldersOf(command, path).map((folder) => join(folder, command));
  return files.find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function found(command: string, path: string): string {
  const file = foundIn(command, path);
  if (file !== null) return file;
  const folders = foldersOf(command, path);
  const where = folders.length === 0 ? "" : ` in: ${folders.join(", ")}`;
  throw new PatchbayError("PROGRAM_MISSING", `It needs ${command}, which was not found${where}.`, {
    help: installs[command] ?? `Install ${command}, or set its path.`,
    details: { program: command },
  });
}
