import type { Wall } from "./wall.ts";

/**
 * Options of Node's permission model for a walled host: a second wall inside the first, and the only one where the system
 * has none. It stops files outside of the list, child processes, workers, addons and the inspector, not the network.
 *
 * @param needs files of ours that the host cannot start without
 * @param free folders of its own, behind the wall
 */
export function permissionFlags(wall: Wall, needs: readonly string[], free: readonly string[]): string[] {
  const read = [...needs, ...wall.read, ...wall.write, ...free];
  const write = [...wall.write, ...free];
  return [
    "--permission",
    ...[...new Set(read)].map((path) => `--allow-fs-read=${everythingIn(path)}`),
    ...[...new Set(write)].map((path) => `--allow-fs-write=${everythingIn(path)}`),
    ...(wall.programs === "none"
      ? []
      : ["--allow-child-process", "--allow-worker", "--allow-addons", "--allow-wasi"]),
    "--disable-warning=SecurityWarning",
    "--no-experimental-sqlite",
    "--disable-sigusr1",
  ];
}

/** Node takes a path for everything below it, too; the root must be written with a star. */
function everythingIn(path: string): string {
  return path === "/" ? "*" : path;
}
