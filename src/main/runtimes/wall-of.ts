import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Grants } from "../../contract/index.ts";
import type { Attempt, NetworkJudge, PutInSecret, Wall } from "../platform/walls/wall.ts";

/** What one run of a plugin may reach. The runtime builds the walls of its processes from it. */
export interface PluginWalls {
  grants: Grants;
  /** Decides about each connection. */
  judge: NetworkJudge;
  /** Secrets for which the plugin was given placeholders. */
  putIn?: readonly PutInSecret[];
  /** To be told of everything that a wall refused. */
  refused(attempt: Attempt): void;
}

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
  const granted = grants.files.folders.filter(({ path }) => {
    if (!existsSync(path) || isInside(root, realOf(path))) return false;
    // It was stored without links. Who can change what it lies in could lead it to what nobody granted.
    const isSame = realOf(path) === path;
    if (!isSame)
      walls.refused({ wall: "files", target: `${path}, which leads elsewhere now`, seenBy: "wall" });
    return isSame;
  });
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
 * The folder of a package, and what Node finds its dependencies in: the folders `node_modules` above it, and the packages
 * that links in them lead to and that the package depends on. An installed package has everything below its own folder.
 * The links may be as foreign as the package, so nothing but a package of that name is shown by them.
 */
function ownFiles(dir: string): string[] {
  const real = realOf(dir);
  const found = new Set([dir, real]);
  const names = dependenciesOf(real);
  for (let above = dirname(real); above !== dirname(above); above = dirname(above)) {
    const modules = join(above, "node_modules");
    if (!isFolder(modules)) continue;
    found.add(modules);
    for (const name of names) {
      const link = join(modules, name);
      if (isLink(link) && packageFile(realOf(link)).name === name) found.add(realOf(link));
    }
  }
  return [...found];
}

/** A name as npm has them; one with `..` in it would lead out of the folder of modules. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

function dependenciesOf(dir: string): string[] {
  const { dependencies, peerDependencies, name } = packageFile(dir);
  const names = [...Object.keys(dependencies ?? {}), ...Object.keys(peerDependencies ?? {}), String(name)];
  return names.filter((each) => packageName.test(each));
}

interface PackageFile {
  name?: unknown;
  dependencies?: object | null;
  peerDependencies?: object | null;
}

/** The package.json in a folder; empty where there is none. */
function packageFile(dir: string): PackageFile {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
    return typeof parsed === "object" && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
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
