import { mkdirSync } from "node:fs";
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
export function makeOwnPlaces(files: string): OwnPlaces {
  const own = join(files, "mcp");
  const cache = join(own, "cache");
  const data = join(own, "data");
  for (const folder of [cache, data]) mkdirSync(folder, { recursive: true });
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
