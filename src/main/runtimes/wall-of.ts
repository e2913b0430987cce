import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Grants } from "../../contract/index.ts";
import type { Wall } from "../platform/walls/wall.ts";
import type { PluginWalls } from "./runtime.ts";

interface WallNeeds {
  walls: PluginWalls;
  /** Folder of the plugin's own files. */
  dir: string;
  workspace: string;
  /** Patchbay's own folder, which stays hidden. */
  root: string;
  /** Folders that the runtime made for this plugin; it may change them. */
  own?: readonly string[];
}

/** The wall of a process of a plugin, from what the plugin may reach. */
export function wallOf({ walls, dir, workspace, root, own = [] }: WallNeeds): Wall {
  const { grants } = walls;
  const folders = grants.files.folders.map(({ path, access }) => ({ path: realOf(path), access }));
  const granted = folders.filter(({ path }) => existsSync(path) && !isInside(root, path));
  const used = grants.files.workspace === "none" || workspace === "" ? [] : [workspace, realOf(workspace)];
  return {
    read: [
      ...ownFiles(dir),
      ...(grants.files.workspace === "read" ? used : []),
      ...granted.filter(({ access }) => access === "read").map(({ path }) => path),
    ],
    write: [
      ...own,
      ...(grants.files.workspace === "write" ? used : []),
      ...granted.filter(({ access }) => access === "write").map(({ path }) => path),
    ],
    hidden: [realOf(root)],
    programs: programsOf(grants),
    network: walls.judge,
    refused: walls.refused,
  };
}

/** The wall of a process that only tells what a plugin is: its own files, and nothing else at all. */
export function wallOfInspection(dir: string): Wall {
  return { read: ownFiles(dir), write: [], hidden: [], programs: "none" };
}

/** Where a process of the plugin begins: in the workspace when it sees that. */
export function startFolder({ walls, workspace }: Pick<WallNeeds, "walls" | "workspace">): string {
  return walls.grants.files.workspace !== "none" && existsSync(workspace) ? workspace : tmpdir();
}

function programsOf({ programs }: Grants): Wall["programs"] {
  return programs.reach === "named" ? { named: programs.names } : programs.reach;
}

/**
 * The folder of a package, and what Node finds its dependencies in: the folders `node_modules` above it, and where the
 * links in them lead to that the package depends on. An installed package has everything below its own folder.
 */
function ownFiles(dir: string): string[] {
  const real = realOf(dir);
  const found = new Set([dir, real]);
  const names = dependenciesOf(real);
  for (let above = dirname(real); above !== dirname(above); above = dirname(above)) {
    const modules = join(above, "node_modules");
    if (!existsSync(modules)) continue;
    found.add(modules);
    for (const name of names) {
      const link = join(modules, name);
      if (isLink(link)) found.add(realOf(link));
    }
  }
  return [...found];
}

function dependenciesOf(dir: string): string[] {
  try {
    const {
      dependencies = {},
      peerDependencies = {},
      name,
    } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
    return [...Object.keys(dependencies), ...Object.keys(peerDependencies), String(name)];
  } catch {
    return [];
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a path is a folder or lies below it. */
function isInside(folder: string, path: string): boolean {
  const way = relative(realOf(folder), path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
