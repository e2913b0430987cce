import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type FlowlyManifest, readManifest } from "../manifest/read-manifest.ts";

export type Place = "bundled" | "user" | "project";

/** A folder that holds a plugin, or something that was meant as one. */
export interface Candidate {
  key: string;
  dirName: string;
  place: Place;
  dir: string;
  /** Null: see `fault`. */
  manifest: FlowlyManifest | null;
  /** Flowly's words, and a sentence for a person. */
  fault: { theirs: string; sentence: string } | null;
}

/**
 * The plugins in the folders of a place, in the order of their names; a folder without a manifest may be a category of
 * plugins, one level deep. A place that is not there is empty.
 * @param budget how many more folders may be looked at, by all scans together
 */
export async function scan(root: string, place: Place, budget: { left: number }): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const name of await folders(root, budget)) {
    const dir = join(root, name);
    const own = await candidate(dir, name, place, null);
    if (own) {
      found.push(own);
      continue;
    }
    const inner = (await leadsUp(dir, root)) ? [] : await category(dir, name, place, budget);
    found.push(...inner);
    if (inner.length === 0 && (await isCode(dir))) found.push(withoutManifest(dir, name, place));
  }
  return found;
}

async function category(
  dir: string,
  prefix: string,
  place: Place,
  budget: { left: number },
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const name of await folders(dir, budget)) {
    const inner = await candidate(join(dir, name), name, place, prefix);
    if (inner) found.push(inner);
  }
  return found;
}

async function candidate(
  dir: string,
  dirName: string,
  place: Place,
  prefix: string | null,
): Promise<Candidate | null> {
  const read = await readManifest(dir, { category: prefix });
  const nested = prefix === null ? dirName : `${prefix}/${dirName}`;
  switch (read.kind) {
    case "absent":
      return null;
    case "broken": {
      const fault = { theirs: read.theirs, sentence: read.problem.message };
      return { key: nested, dirName, place, dir, manifest: null, fault };
    }
    case "manifest": {
      const key = prefix === null ? read.manifest.name : nested;
      return { key, dirName, place, dir, manifest: read.manifest, fault: null };
    }
  }
}

/** Names of the folders in a folder, links to folders too, in the order of their characters' numbers. */
async function folders(root: string, budget: { left: number }): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries.sort((one, other) =>
    Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)),
  )) {
    if (entry.name.startsWith(".")) continue;
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue;
    if (entry.isSymbolicLink() && !(await isFolder(join(root, entry.name)))) continue;
    if (budget.left <= 0) break;
    budget.left -= 1;
    names.push(entry.name);
  }
  return names;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** Whether a folder is, by a link, the root itself or one above it: its plugins would be found again. */
async function leadsUp(dir: string, root: string): Promise<boolean> {
  const [from, to] = await Promise.all([dir, root].map((path) => realpath(path).catch(() => path)));
  return from === to || to?.startsWith(`${from}${sep}`) === true;
}

async function isCode(dir: string): Promise<boolean> {
  return (await stat(join(dir, "__init__.py")).catch(() => null))?.isFile() === true;
}

function withoutManifest(dir: string, name: string, place: Place): Candidate {
  const fault = {
    theirs: "no plugin.yaml / plugin.json",
    sentence: `"${name}" has no plugin.yaml, so Flowly does not see it.`,
  };
  return { key: name, dirName: name, place, dir, manifest: null, fault };
}
