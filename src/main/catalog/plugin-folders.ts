import { randomUUID } from "node:crypto";
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Places } from "../store/index.ts";
import { mapLimited, readTree, type TreeEntry } from "./tree.ts";

/**
 * The folders that hold plugins: `<plugins>/<key>/<version>-<hash>/` for what is installed and `<staging>/<job>/` for
 * what is on its way there. Both are on the same disk, so that a package is moved to its place by one rename. Folders
 * that no row refers to, after a crash, are removed by `sweep`.
 */
export class PluginFolders {
  readonly #plugins: string;
  readonly #staging: string;

  constructor({ plugins, staging }: Pick<Places, "plugins" | "staging">) {
    this.#plugins = plugins;
    this.#staging = staging;
  }

  /** An empty folder for a job. */
  async openStaging(jobId: string): Promise<string> {
    const dir = join(this.#staging, jobId);
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
    await mkdir(dir, { recursive: true });
    return dir;
  }

  async removeStaging(jobId: string): Promise<void> {
    await rm(join(this.#staging, jobId), { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }

  /**
   * Moves a staged package to its place by one rename, after all its files were flushed to disk: after a crash it is
   * there completely or not at all.
   */
  async place(from: string, key: string, version: string, treeHash: string, signal: AbortSignal) {
    await syncTree(from, signal);
    const parent = join(this.#plugins, key);
    await mkdir(parent, { recursive: true });
    const target = await freeName(
      join(parent, `${version}-${treeHash.replace(/^sha256-/, "").slice(0, 12)}`),
    );
    signal.throwIfAborted();
    await rename(from, target);
    await syncPath(parent);
    return target;
  }

  /** Flushes files to disk that were made in a package after it was placed. */
  async keep(dir: string, signal: AbortSignal): Promise<void> {
    await syncTree(dir, signal);
  }

  /**
   * Removes a placed version. It is renamed first, so that its place is free at once even when deleting the files takes
   * long. A folder outside of the plugins' folder is never removed, even when a row names it.
   */
  async remove(dir: string): Promise<void> {
    if (dirname(dirname(dir)) !== this.#plugins) return;
    const grave = join(this.#staging, `removed-${randomUUID()}`);
    await mkdir(this.#staging, { recursive: true });
    try {
      await rename(dir, grave);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    await rm(grave, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
    await removeIfEmpty(dirname(dir));
  }

  /**
   * Removes all staging, and every placed version that is not among `referenced`. Versions are compared by the last two
   * parts of their path, so that nothing is lost when the whole folder of Patchbay was moved. Resolves with the paths that it
   * removed. Null: it is not known which ones are referenced, so no version is removed.
   */
  async sweep(referenced: readonly string[] | null): Promise<string[]> {
    const kept = new Set(referenced?.map(lastTwoNames));
    const removed: string[] = [];
    await mapLimited(referenced ? await namesIn(this.#plugins) : [], async (key) => {
      const versions = await namesIn(join(this.#plugins, key));
      const lost = versions
        .map((name) => join(this.#plugins, key, name))
        .filter((dir) => !kept.has(lastTwoNames(dir)));
      for (const dir of lost) await this.remove(dir);
      if (versions.length === 0) await removeIfEmpty(join(this.#plugins, key));
      removed.push(...lost);
    });
    for (const job of await namesIn(this.#staging)) {
      await rm(join(this.#staging, job), { recursive: true, force: true, maxRetries: 3 });
      removed.push(join(this.#staging, job));
    }
    return removed;
  }
}

/**
 * Copies a folder. Links are copied as links; entries that `ignore` names are left out.
 * @throws PatchbayError UNSAFE_PACKAGE as {@link readTree}.
 */
export async function copyTree(
  from: string,
  to: string,
  options: { ignore?: readonly string[]; signal: AbortSignal; onProgress?: (done: number) => void },
): Promise<TreeEntry[]> {
  const entries = await readTree(from, options);
  await mkdir(to, { recursive: true });
  for (const entry of entries) if (entry.kind === "folder") await mkdir(join(to, entry.path));
  let done = 0;
  await mapLimited(
    entries,
    async (entry) => {
      const target = join(to, entry.path);
      if (entry.kind === "file") {
        await copyFile(join(from, entry.path), target);
        await chmod(target, entry.executable ? 0o755 : 0o644);
      } else if (entry.kind === "link") {
        await symlink(entry.target, target);
      }
      done += 1;
      options.onProgress?.(done / entries.length);
    },
    options.signal,
  );
  return entries;
}

async function syncTree(dir: string, signal: AbortSignal): Promise<void> {
  const entries = await readTree(dir, { signal, outside: true });
  await mapLimited(
    entries.filter((entry) => entry.kind !== "link"),
    (entry) => syncPath(join(dir, entry.path)),
    signal,
  );
  await syncPath(dir);
}

/**
 * Flushes a file or folder to disk. Windows cannot flush a folder, and need not: its file system keeps a journal of
 * renames.
 */
async function syncPath(path: string): Promise<void> {
  const isFolder = (await stat(path)).isDirectory();
  if (isFolder && process.platform === "win32") return;
  const handle = await open(path, isFolder || process.platform !== "win32" ? "r" : "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function freeName(wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const exists = await stat(name).then(
      () => true,
      () => false,
    );
    if (!exists) return name;
  }
}

function lastTwoNames(dir: string): string {
  return join(basename(dirname(dir)), basename(dir));
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function removeIfEmpty(dir: string): Promise<void> {
  if ((await namesIn(dir)).length === 0) await rm(dir, { recursive: true, force: true });
}
