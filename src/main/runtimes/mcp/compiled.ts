import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** What a start needs to use what Node compiled before: variables, and what its wall shows. */
export interface Compiled {
  env: Record<string, string>;
  read: readonly string[];
  write: readonly string[];
}

export const notCompiled: Compiled = { env: {}, read: [], write: [] };

/**
 * The folder in which Node keeps what it compiled of a server, so that its next start takes less time. What lies there runs
 * in place of the server's checked files. So it is written only in a start in which nobody speaks to the server, from nothing,
 * and can only be read in all others: what a server was talked into later cannot outlive its end there.
 *
 * @param all the folder with those of all servers
 * @param dir the version's own folder
 * @param isAlone whether nobody speaks to it in this start
 */
export async function compiledOf(all: string, dir: string, isAlone: boolean): Promise<Compiled> {
  const own = join(all, createHash("sha256").update(dir).digest("hex").slice(0, 16));
  const folder = join(own, "node-compile-cache");
  const env = { NODE_COMPILE_CACHE: folder };
  if (!isAlone) return existsSync(folder) ? { env, read: [folder], write: [] } : notCompiled;
  await rm(own, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(own, "of"), dir);
  await sweep(all);
  return { env, read: [], write: [folder] };
}

/** Removes those of versions that are not installed any more. */
async function sweep(all: string): Promise<void> {
  for (const name of await readdir(all)) {
    const dir = await readFile(join(all, name, "of"), "utf8").catch(() => null);
    if (dir === null || !existsSync(dir)) await rm(join(all, name), { recursive: true, force: true });
  }
}
