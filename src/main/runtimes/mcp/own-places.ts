import { mkdir, writeFile } from "node:fs/promises";
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
  const temporary = join(own, "tmp");
  await Promise.all([cache, data, temporary].map((folder) => mkdir(folder, { recursive: true })));
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
      TMPDIR: temporary,
    },
  };
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

/** Keeps a file where the agent finds it, under a name that is free there. Resolves with its path in the workspace. */
export async function keepInWorkspace(
  workspace: string,
  { content, name, unique }: { content: string | Buffer; name: string; unique: string },
): Promise<string> {
  const folder = join("from-plugins", unique);
  await mkdir(join(workspace, folder), { recursive: true });
  const path = join(folder, name);
  await writeFile(join(workspace, path), content);
  return path;
}
