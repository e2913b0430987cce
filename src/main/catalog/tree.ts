import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PatchbayError } from "../../contract/index.ts";

/** One entry below a plugin's folder. Paths are relative, with forward slashes on every system. */
export type TreeEntry =
  | { kind: "file"; path: string; executable: boolean; stamp: FileStamp }
  | { kind: "folder"; path: string }
  | { kind: "link"; path: string; target: string };

/**
 * The metadata of a file that changes whenever its content does. Whoever may write a file can put its size and its
 * `mtime` back; the time of its last change (`ctime`) is set by the system alone.
 */
export interface FileStamp {
  size: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  inode: bigint;
  mode: bigint;
}

/** Content hashes by absolute path. A hash is valid as long as the file's stamp is the same. */
export type HashCache = Map<string, FileStamp & { hash: string }>;

/**
 * Nanoseconds that must lie between the last change of a file and its reading for its hash to be kept: systems count
 * in steps of up to ten milliseconds, and a second change within the same step would leave the stamp as it was.
 */
const SETTLED_NS = 100_000_000n;

const openAtOnce = 16;

export interface TreeOptions {
  signal?: AbortSignal;
  /** Entries to leave out: names in the top folder, and paths below it with forward slashes. */
  ignore?: readonly string[];
  /**
   * Whether links may lead outside of the folder. False for a package as it was fetched. True after a build that the
   * person allowed, because builds make such links: a venv of Python links to the interpreter.
   */
  outside?: boolean;
}

/**
 * Everything below `dir`, sorted by path. Links are not followed.
 * @throws PatchbayError UNSAFE_PACKAGE for links that lead outside, devices, sockets and pipes.
 */
export async function readTree(dir: string, options: TreeOptions = {}): Promise<TreeEntry[]> {
  const root = options.outside ? null : await realpath(dir);
  const entries: TreeEntry[] = [];
  const ignored = new Set(options.ignore);
  let level = (await readdir(dir)).filter((name) => !ignored.has(name));
  while (level.length > 0) {
    const found = await mapLimited(level, (name) => readEntry(dir, root, name), options.signal);
    entries.push(...found);
    const folders = found.filter((entry) => entry.kind === "folder").map((entry) => entry.path);
    const children = await mapLimited(
      folders,
      async (path) =>
        (await readdir(join(dir, path)))
          .map((name) => `${path}/${name}`)
          .filter((below) => !ignored.has(below)),
      options.signal,
    );
    level = children.flat();
  }
  return entries.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** What `hashTree` remembers from one time to the next. */
export interface Remembered {
  cache: HashCache;
  /** The present time in milliseconds since 1970. */
  now(): number;
}

/**
 * A hash over paths, executable bits, contents and link targets: `sha256-<hex>`. With `remembered`, a file whose stamp
 * is unchanged is not read again.
 */
export async function hashTree(
  dir: string,
  options: Pick<TreeOptions, "signal" | "outside"> & { remembered?: Remembered } = {},
): Promise<string> {
  const { remembered, signal } = options;
  const entries = await readTree(dir, options);
  const lines = await mapLimited(entries, (entry) => lineOf(dir, entry, remembered), signal);
  const total = createHash("sha256");
  for (const line of lines) total.update(line).update("\n");
  return `sha256-${total.digest("hex")}`;
}

/** Runs `work` over all items, sixteen at a time, results in the order of the items. */
export async function mapLimited<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      signal?.throwIfAborted();
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(openAtOnce, items.length) }, lane));
  return results;
}

/** @param root the real path that links must stay below; null when they need not */
async function readEntry(dir: string, root: string | null, path: string): Promise<TreeEntry> {
  const full = join(dir, path);
  const stat = await lstat(full, { bigint: true });
  if (stat.isDirectory()) return { kind: "folder", path };
  if (stat.isSymbolicLink()) {
    const target = await readlink(full);
    if (root !== null) await assertInside(full, root, dir, path, target);
    return { kind: "link", path, target: target.split(sep).join("/") };
  }
  if (!stat.isFile()) {
    throw new PatchbayError("UNSAFE_PACKAGE", `“${path}” in the package is not a file, folder or link.`);
  }
  const executable = process.platform !== "win32" && (stat.mode & 0o100n) !== 0n;
  return {
    kind: "file",
    path,
    executable,
    stamp: {
      size: stat.size,
      mtimeNs: stat.mtimeNs,
      ctimeNs: stat.ctimeNs,
      inode: stat.ino,
      mode: stat.mode,
    },
  };
}

async function assertInside(full: string, root: string, dir: string, path: string, target: string) {
  const lexical = resolve(dirname(full), target);
  const real = await realpath(full).catch(() => null);
  const escapes = isAbsolute(target) || isOutside(resolve(dir), lexical) || (real && isOutside(root, real));
  if (escapes) {
    throw new PatchbayError(
      "UNSAFE_PACKAGE",
      `The link “${path}” leads out of the package, to “${target}”.`,
      {
        details: { path, target },
      },
    );
  }
}

function isOutside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}

async function lineOf(dir: string, entry: TreeEntry, remembered?: Remembered): Promise<string> {
  switch (entry.kind) {
    case "folder":
      return `folder ${JSON.stringify(entry.path)}`;
    case "link":
      return `link ${JSON.stringify(entry.path)} ${JSON.stringify(entry.target)}`;
    case "file": {
      const hash = await hashFile(join(dir, entry.path), entry.stamp, remembered);
      return `${entry.executable ? "program" : "file"} ${JSON.stringify(entry.path)} ${hash}`;
    }
  }
}

async function hashFile(path: string, stamp: FileStamp, remembered?: Remembered): Promise<string> {
  const known = remembered?.cache.get(path);
  if (known && isSame(known, stamp)) return known.hash;
  const readAtNs = BigInt(Math.trunc(remembered?.now() ?? 0)) * 1_000_000n;
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  const hash = digest.digest("hex");
  if (readAtNs - stamp.ctimeNs > SETTLED_NS) remembered?.cache.set(path, { ...stamp, hash });
  else remembered?.cache.delete(path);
  return hash;
}

function isSame(a: FileStamp, b: FileStamp): boolean {
  return (
    a.size === b.size &&
    a.mtimeNs === b.mtimeNs &&
    a.ctimeNs === b.ctimeNs &&
    a.inode === b.inode &&
    a.mode === b.mode
  );
}
