import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Wall } from "../wall.ts";
import type { LiteralPath, SandboxFiles } from "./library.ts";

/** Systems whose walls are made here. Linux only in tests. */
export type WalledSystem = "darwin" | "linux";

/**
 * Folders in which people and services keep what is theirs. Reads are open beside them, because what the system itself is made
 * of cannot be listed for a system that we cannot try.
 */
const closed: Record<WalledSystem, readonly string[]> = {
  darwin: [
    "/Users",
    "/Volumes",
    "/Network",
    "/cores",
    "/private/var",
    "/private/tmp",
    "/private/etc/ssh",
    "/private/etc/sudoers",
    "/private/etc/master.passwd",
    "/Library/Application Support",
    "/Library/Keychains",
    "/Library/Logs",
    "/Library/Preferences",
  ],
  linux: ["/boot", "/home", "/media", "/mnt", "/root", "/run", "/srv", "/sys", "/tmp", "/var"],
};

/** What no program starts without, though it lies in a closed folder: time zones, the shared libraries, which shell `sh` is. */
const openAgain: Record<WalledSystem, readonly string[]> = {
  darwin: ["/private/var/db/dyld", "/private/var/db/timezone", "/private/var/select"],
  linux: [],
};

/** The library opens these to all of its sandboxes: things could be passed on from one plugin to another there. */
const shared: Record<WalledSystem, readonly string[]> = {
  darwin: ["/tmp/claude", "/private/tmp/claude"],
  linux: [],
};

/** Hidden also from a process that may use all files. On macOS the sockets of services are closed by themselves. */
const sockets: Record<WalledSystem, readonly string[]> = { darwin: [], linux: ["/run"] };

export interface FilesNeeds {
  system: WalledSystem;
  wall: Pick<Wall, "read" | "write" | "hidden">;
  /** The person's home folder. */
  home: string;
  /** Files of ours that it can read, and folders of its own that it can change. */
  read: readonly string[];
  write: readonly string[];
  /** What lies in a folder; absent: as on the disk. */
  list?: (folder: string) => readonly string[];
}

/**
 * The rules about files that make a wall. A granted folder that holds a hidden one is granted piece by piece, as it is now:
 * the library would hide everything in the hidden folder then, also what the plugin itself consists of.
 */
export function sandboxFiles({ system, wall, home, read, write, list = namesIn }: FilesNeeds): SandboxFiles {
  const without = (paths: readonly string[]) => paths.flatMap((path) => around(path, wall.hidden, list));
  const seesAll = [...wall.read, ...wall.write].includes("/");
  const reads = without(wall.read.filter((path) => path !== "/"));
  const writes = [...without(wall.write), ...write];
  // What may only be read stays as it is also in a folder that may be changed, such as a linked plugin in the workspace.
  const changed = [...wall.write, ...write];
  const kept = wall.read.filter(
    (path) =>
      path !== "/" &&
      changed.some((folder) => isIn(folder, path)) &&
      !changed.some((folder) => folder === path || isIn(path, folder)),
  );
  const denied = seesAll ? sockets[system] : [...closed[system], home];
  return {
    denyRead: literal([...denied, ...wall.hidden, ...shared[system]]),
    allowRead: literal([...openAgain[system], ...read, ...reads, ...writes.filter((path) => path !== "/")]),
    allowWrite: literal(writes),
    denyWrite: literal([...shared[system], ...kept]),
  };
}

/** A folder without what is hidden in it: itself when nothing is, else its parts that do not lead there. */
function around(folder: string, hidden: readonly string[], list: FilesNeeds["list"] & {}): string[] {
  if (!hidden.some((path) => path !== folder && isIn(folder, path))) return [folder];
  return list(folder)
    .map((name) => join(folder, name))
    .filter((path) => !hidden.includes(path))
    .flatMap((path) => around(path, hidden, list));
}

function isIn(folder: string, path: string): boolean {
  return path.startsWith(folder === "/" ? "/" : `${folder}/`);
}

function literal(paths: readonly string[]): LiteralPath[] {
  return [...new Set(paths)].map((path) => ({ path, literal: true }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
