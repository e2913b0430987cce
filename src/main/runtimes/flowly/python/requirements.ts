import { access, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Name of the file in which a plugin lists the packages that it needs. */
export const requirementsFile = "requirements.txt";

/** Most lines that are read: each is shown to the person. */
const MOST_LINES = 200;
const LONGEST_LINE = 500;

/**
 * What a plugin's requirements.txt asks for, a line each as it is written (`httpx>=0.27`, `-r more.txt`), without comments.
 * Empty when there is no such file. Nothing is run.
 */
export async function requirementsOf(dir: string): Promise<string[]> {
  const text = await readFile(join(dir, requirementsFile), "utf8").catch(() => "");
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, "")
        .trim()
        .slice(0, LONGEST_LINE),
    )
    .filter((line) => line !== "")
    .slice(0, MOST_LINES);
}

/** A package of the index by its name alone: no version, no address, no option of pip. */
export function isPlainPackage(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/.test(name);
}

/** Whether a line asks for the package, at whatever version. */
export function asksFor(line: string, name: string): boolean {
  const asked = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?/.exec(line)?.[0];
  return asked !== undefined && normal(asked) === normal(name);
}

/** As the index compares names: `Ruamel.YAML` is `ruamel-yaml`. */
function normal(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** Whether a plugin has a module of that name beside its own code, which it can only import by a dot. */
export async function isOwnModule(dir: string, module: string): Promise<boolean> {
  for (const path of [`${module}.py`, module]) {
    const isThere = await access(join(dir, path)).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}
