import type { Dirent } from "node:fs";
import { open, readdir, readlink } from "node:fs/promises";
import { extname, isAbsolute, join, posix, resolve } from "node:path";

/** Languages that look for code by a name without its ending, in the folder of what they run. */
export type Language = "python" | "node" | "ruby" | "perl";

/** A folder of a plugin in which what the plugin adds could be run in the place of what was checked. */
export interface Guarded {
  /** Relative to the plugin's folder; `""` is that one. */
  folder: string;
  languages: ReadonlySet<Language>;
  /** What was installed in it, and what the manifest calls data. */
  names: ReadonlySet<string>;
  /** Whether the folder itself would become a package by a file in it. */
  isNameOfPackage: boolean;
}

const sources: Record<Language, RegExp> = {
  python: /\.pyw?$/,
  node: /\.[cm]?[jt]sx?$|^package\.json$/,
  ruby: /\.rb$/,
  perl: /\.p[lm]$/,
};

/** What each would take for a module. Of Node's, see {@link isInPlaceOf}. */
const modules: Partial<Record<Language, RegExp>> = {
  python: /\.(?:pyw?|pyc|so|pyd)$/,
  node: /^(?:package|tsconfig|jsconfig)\.json$|^deno\.jsonc?$/,
  ruby: /\.(?:rb|so|bundle)$/,
  perl: /\.pmc?$/,
};

const interpreters: Record<Language, RegExp> = {
  python: /\b(?:python|pypy|uv)/,
  node: /\b(?:node|bun|deno|tsx)\b/,
  ruby: /\bruby/,
  perl: /\bperl/,
};

/** Bytes of a file in which its first line must name what runs it. */
const HEAD_BYTES = 128;

/** Links after which the system follows no more of a path. */
const MOST_LINKS = 40;

/**
 * @param listed the open folders with what was installed in them
 * @param data paths that the manifest calls data
 */
export async function guardedIn(
  dir: string,
  listed: ReadonlyMap<string, readonly Dirent[]>,
  data: ReadonlySet<string>,
): Promise<Guarded[]> {
  const found = new Map<string, Set<Language>>();
  for (const [folder, entries] of listed) found.set(folder, await languagesOf(join(dir, folder), entries));
  // Node looks for packages and their settings also in the folders above.
  for (const [folder, languages] of found)
    if (languages.has("node")) for (const above of foldersAbove(folder)) found.get(above)?.add("node");
  const named = [...data].map((path) => [posix.dirname(path), posix.basename(path)] as const);
  return [...found]
    .map(([folder, languages]) => ({
      folder,
      languages,
      names: new Set([
        ...(listed.get(folder) ?? []).map(({ name }) => name),
        ...named.filter(([above]) => above === (folder || ".")).map(([, name]) => name),
      ]),
      isNameOfPackage: folder !== "" && found.get(foldersAbove(folder)[0] ?? "")?.has("python") === true,
    }))
    .filter(({ languages, isNameOfPackage }) => languages.size > 0 || isNameOfPackage);
}

/**
 * The names in a folder's data that would be run in the place of what was checked.
 *
 * @param onDisk where lies what a program sees at an absolute path
 */
export async function plantedIn(dir: string, guarded: Guarded, onDisk: OnDisk): Promise<string[]> {
  const at = join(dir, guarded.folder);
  const entries = await readdir(onDisk(at), { withFileTypes: true }).catch(() => []);
  const planted: string[] = [];
  for (const entry of entries)
    if (!guarded.names.has(entry.name) && (await isPlanted(at, entry, guarded, onDisk)))
      planted.push(entry.name);
  return planted;
}

type OnDisk = (path: string) => string;

async function isPlanted(
  at: string,
  entry: Dirent,
  { languages, names, isNameOfPackage }: Guarded,
  onDisk: OnDisk,
): Promise<boolean> {
  const { name } = entry;
  if (isNameOfPackage && isBeginning(name)) return true;
  // An empty folder in which nothing can be made is shown in its place.
  if (name === "__pycache__" || name === "node_modules") return false;
  if (!entry.isDirectory()) {
    if ([...languages].some((language) => modules[language]?.test(name))) return true;
    if (languages.has("node") && isInPlaceOf(name, names)) return true;
  }
  return languages.has("python") && isPackage(join(at, name), onDisk);
}

/** Whether Node takes a file of that name for one that is asked for without its ending: `helper` for `helper.js`. */
function isInPlaceOf(name: string, names: ReadonlySet<string>): boolean {
  const ending = extname(name);
  if (ending !== "" && !sources.node.test(name)) return false;
  const stem = ending === "" ? name : name.slice(0, -ending.length);
  return [...names].some((each) => {
    const other = extname(each);
    const isCode = other === "" || sources.node.test(each) || other === ".json" || other === ".node";
    return isCode && (other === "" ? each : each.slice(0, -other.length)) === stem;
  });
}

/** Python takes a folder for a module before a file of that name, when it says that it is a package. */
async function isPackage(path: string, onDisk: OnDisk): Promise<boolean> {
  const entries = await readdir(onDisk(await withoutLinks(path, onDisk))).catch(() => []);
  return entries.some(isBeginning);
}

/** Where a path leads for a program, whose links lead through what it sees itself. */
async function withoutLinks(path: string, onDisk: OnDisk): Promise<string> {
  let sofar = "/";
  const left = path.split("/");
  for (let links = 0; left.length > 0 && links <= MOST_LINKS; ) {
    const part = left.shift() ?? "";
    const next = resolve(sofar, part);
    const to = part === ".." ? null : await readlink(onDisk(next)).catch(() => null);
    if (to === null) sofar = next;
    else {
      links += 1;
      left.unshift(...to.split("/"));
      if (isAbsolute(to)) sofar = "/";
    }
  }
  return sofar;
}

function isBeginning(name: string): boolean {
  return name.startsWith("__init__.");
}

async function languagesOf(place: string, entries: readonly Dirent[]): Promise<Set<Language>> {
  const found = new Set<Language>();
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const all = Object.keys(sources) as Language[];
    for (const language of all) if (sources[language].test(entry.name)) found.add(language);
    if (!entry.isFile() || extname(entry.name) !== "") continue;
    const line = await firstLine(join(place, entry.name));
    if (line.startsWith("#!"))
      for (const language of all) if (interpreters[language].test(line)) found.add(language);
  }
  return found;
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  try {
    const { buffer, bytesRead } = (await file?.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)) ?? {};
    return buffer?.toString("latin1", 0, bytesRead).split("\n")[0] ?? "";
  } finally {
    await file?.close();
  }
}

/** The folders that a relative path lies in, the nearest first. */
function foldersAbove(path: string): string[] {
  if (path === "") return [];
  const above = posix.dirname(path) === "." ? "" : posix.dirname(path);
  return [above, ...foldersAbove(above)];
}
