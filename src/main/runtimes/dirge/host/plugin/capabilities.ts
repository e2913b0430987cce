import { realpathSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Capabilities } from "@patchbay/janet";
import type { TellRefused } from "../../../hosted/node/walls/denials.ts";
import type { DirgeStart } from "../protocol.ts";

/**
 * What the engine lets a plugin reach: the same as the wall round this process, so that what is not granted is an error that the plugin
 * can catch, and holds where no wall stands.
 *
 * @param refused told of what it refuses, which the wall never sees then
 */
export function capabilitiesOf({ dir, workspace, grants }: DirgeStart, refused: TellRefused): Capabilities {
  const folders = (access: readonly string[]) =>
    grants.files.folders.filter((folder) => access.includes(folder.access)).map(({ path }) => path);
  const used = (...access: string[]) => (access.includes(grants.files.workspace) ? [workspace] : []);
  const readable = [dir, ...used("read", "write"), ...folders(["read", "write"])].map(realOf);
  const writable = [...used("write"), ...folders(["write"])].map(realOf);
  const told = (wall: Parameters<TellRefused>[0], target: string, isGranted: boolean) => {
    if (!isGranted) refused(wall, target);
    return isGranted;
  };
  const home = process.env.PATH ?? "";
  return {
    readFiles: (path) => told("files", path, isInside(readable, path)),
    writeFiles: (path) => told("files", path, isInside(writable, path)),
    subprocess: ([program = ""], environment) =>
      told("programs", program, mayRun(grants.programs, program, environment, home)),
    // Which host it may be is asked at the door of the wall, each time.
    network: (host, port) => told("network", `${host}:${port}`, grants.network.reach !== "none"),
    // The process has no other environment than what the person gave to the plugin.
    environment: () => true,
  };
}

/** Variables by which a program is made to run other code than its own. */
const loading = /^(?:LD_|DYLD_)/;

/**
 * A program that is named is the one that this process finds under the name: not a file of the plugin's that is called so, be it by
 * its path or by another `PATH`.
 *
 * @param program the absolute path, or a bare name that is looked up in the `PATH` of `environment`
 * @param home this process's own `PATH`
 */
function mayRun(
  { reach, names }: DirgeStart["grants"]["programs"],
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
  home: string,
): boolean {
  if (reach === "any") return true;
  if (reach === "none" || Object.keys(environment).some((name) => loading.test(name))) return false;
  if (!isAbsolute(program)) return names.includes(program) && environment.PATH === home;
  return names.some((name) => name === program || placesOf(name, home).includes(program));
}

/** The files that a name may stand for, as they are and with all links followed. */
function placesOf(name: string, path: string): string[] {
  if (name !== basename(name)) return [];
  const places = path.split(delimiter).filter(isAbsolute);
  return places.flatMap((place) => [join(place, name), realOf(join(place, name))]);
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
