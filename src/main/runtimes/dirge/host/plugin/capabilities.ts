import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Capabilities } from "@patchbay/janet";
import type { DirgeStart } from "../protocol.ts";

/**
 * What the engine lets a plugin reach: the same as the wall round this process, so that what is not granted is an error that the plugin
 * can catch, and holds where no wall stands.
 */
export function capabilitiesOf({ dir, workspace, grants }: DirgeStart): Capabilities {
  const folders = (access: readonly string[]) =>
    grants.files.folders.filter((folder) => access.includes(folder.access)).map(({ path }) => path);
  const used = (...access: string[]) => (access.includes(grants.files.workspace) ? [workspace] : []);
  const readable = [dir, ...used("read", "write"), ...folders(["read", "write"])].map(realOf);
  const writable = [...used("write"), ...folders(["write"])].map(realOf);
  return {
    readFiles: (path) => isInside(readable, path),
    writeFiles: (path) => isInside(writable, path),
    subprocess: (words) => mayRun(grants.programs, words[0] ?? ""),
    // Which host it may be is asked at the door of the wall, each time.
    network: () => grants.network.reach !== "none",
    // The process has no other environment than what the person gave to the plugin.
    environment: () => true,
  };
}

function mayRun({ reach, names }: DirgeStart["grants"]["programs"], program: string): boolean {
  if (reach === "any") return true;
  if (reach === "none") return false;
  return names.includes(program) || (isAbsolute(program) && names.includes(basename(program)));
}

function isInside(folders: readonly string[], path: string): boolean {
  const real = realOf(path);
  return folders.some((folder) => {
    const way = relative(folder, real);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  });
}

/** Where a path leads, all links followed; what is not there yet is where its folder leads. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realOf(above), basename(path));
  }
}
