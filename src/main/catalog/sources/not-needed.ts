import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { isObject } from "../../../contract/is-object.ts";

/**
 * Packages that Patchbay gives to plugins when they run, in its own version. What a plugin's package.json says of them, as a
 * dependency, a peer or for development, is neither fetched nor copied.
 */
export const givenPackages: readonly string[] = ["@patchbay/plugin-sdk"];

/**
 * What lies in a folder of the person and is not needed for the plugin to run, as paths with forward slashes: packages that
 * Patchbay gives to plugins, packages for development that are links out of the folder, and the programs of both.
 */
export async function notNeeded(dir: string): Promise<string[]> {
  const root = await realpath(dir);
  const modules = join(root, "node_modules");
  const leftOut: string[] = [];
  for (const name of new Set([...givenPackages, ...(await developmentNames(root))])) {
    const path = join(modules, ...name.split("/"));
    if (givenPackages.includes(name) ? await exists(path) : await leadsOut(path, root)) leftOut.push(path);
  }
  const gone = await Promise.all(leftOut.map(realOf));
  const programs = join(modules, ".bin");
  for (const name of await readdir(programs).catch(() => [])) {
    const real = await realOf(join(programs, name));
    if (gone.some((folder) => real.startsWith(folder + sep))) leftOut.push(join(programs, name));
  }
  return leftOut.map((path) => path.slice(root.length + 1).replaceAll(sep, "/"));
}

/** The packages that the package.json names for development alone. */
async function developmentNames(root: string): Promise<string[]> {
  const file: unknown = await readFile(join(root, "package.json"), "utf8")
    .then((text) => JSON.parse(text.replace(/^\uFEFF/, "")))
    .catch(() => null);
  if (!isObject(file)) return [];
  const namesIn = (table: unknown) => (isObject(table) ? Object.keys(table) : []);
  const needed = new Set(
    [file.dependencies, file.optionalDependencies, file.peerDependencies].flatMap(namesIn),
  );
  return namesIn(file.devDependencies).filter((name) => !needed.has(name) && packageName.test(name));
}

/** A name as npm has them; one with `..` in it would lead out of the folder of modules. */
const packageName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

async function leadsOut(path: string, root: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found?.isSymbolicLink() === true && !(await realOf(path)).startsWith(root + sep);
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

/** The real path; the path itself where its link leads nowhere. */
async function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
