import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Place } from "./server/server-file.ts";

/** Where a server keeps what it makes: below Patchbay's folder of the agent's plugin. */
export interface OwnPlaces {
  /** Caches and data that its program may write. */
  private: string;
  env: Record<string, string>;
}

/** Makes the folders in which a walled program may write although it sees nothing of the person's. */
export async function makeOwnPlaces(files: string): Promise<OwnPlaces> {
  const own = join(files, "mcp");
  const cache = join(own, "cache");
  const data = join(own, "data");
  await Promise.all([cache, data].map((folder) => mkdir(folder, { recursive: true })));
  return {
    private: own,
    env: {
      XDG_CACHE_HOME: cache,
      XDG_DATA_HOME: data,
      XDG_STATE_HOME: data,
      npm_config_cache: join(cache, "npm"),
      UV_CACHE_DIR: join(cache, "uv"),
      UV_TOOL_DIR: join(data, "uv"),
      UV_PYTHON_INSTALL_DIR: join(data, "python"),
    },
  };
}

/**
 * Makes the folder in which Node keeps what it compiled of a server, so that its next start takes less time. Each version
 * has its own and sees no other: what one leaves there would run as another. Those of earlier versions are removed.
 *
 * @param dir the version's own folder
 */
export async function makeCompiledPlace(files: string, dir: string): Promise<string> {
  const all = join(files, "mcp-compiled");
  const name = createHash("sha256").update(dir).digest("hex").slice(0, 16);
  await mkdir(join(all, name), { recursive: true });
  const others = (await readdir(all)).filter((each) => each !== name);
  await Promise.all(others.map((each) => rm(join(all, each), { recursive: true, force: true })));
  return join(all, name);
}

/** What the names of places mean for an agent's plugin. */
export function placesOf(plugin: string, workspace: string, home = homedir()): Record<Place, string> {
  return {
    plugin,
    workspace,
    home,
    desktop: join(home, "Desktop"),
    documents: join(home, "Documents"),
    downloads: join(home, "Downloads"),
  };
}
