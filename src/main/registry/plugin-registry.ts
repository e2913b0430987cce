import { EventEmitter } from "node:events";
import { type Plugin, pluginSchema } from "../../contract/index.ts";
import type { Inspection } from "../runtimes/runtime.ts";
import type { Collection, Rows, Storage } from "../store/index.ts";
import { checkTaken } from "./check-taken.ts";
import { withArtifact } from "./older-plugin-rows.ts";

export interface PluginRegistryOptions {
  storage: Pick<Storage, "rows">;
  /** Brings a row of version 2 to what plugin systems say of settings now. */
  upgrade?(old: unknown): unknown;
}

function collection(upgrade: (old: unknown) => unknown): Collection<Plugin> {
  return {
    name: "plugins",
    schema: pluginSchema,
    version: 3,
    migrations: { 1: withArtifact, 2: upgrade },
  };
}

/** What is installed: a row a plugin key. */
export class PluginRegistry {
  readonly changes = new EventEmitter<{ put: [plugin: Plugin]; removed: [key: string] }>();
  readonly #rows: Rows<Plugin>;

  constructor({ storage, upgrade = (old) => old }: PluginRegistryOptions) {
    this.#rows = storage.rows(collection(upgrade));
  }

  /** In the order of the keys. */
  list(): Plugin[] {
    return [...this.#rows.all().values()].sort((a, b) => (a.manifestKey < b.manifestKey ? -1 : 1));
  }

  get(key: string): Plugin | undefined {
    return this.#rows.get(key);
  }

  /**
   * Refuses a package that claims the key or the tool namespace of another. A row of the same package name is that
   * package's own.
   *
   * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN
   */
  checkTaken(claim: Inspection): void {
    const own = this.get(claim.manifestKey)?.packageName === claim.packageName;
    checkTaken(claim, this.list(), own);
  }

  /** Adds a row or replaces the one with the same key. Kept when it resolves. */
  async put(plugin: Plugin): Promise<void> {
    await this.#rows.change(plugin.manifestKey, () => plugin);
    this.changes.emit("put", plugin);
  }

  /** Does nothing when there is no such row. Kept when it resolves. */
  async remove(key: string): Promise<void> {
    let wasThere = false;
    await this.#rows.change(key, (row) => {
      wasThere = row !== undefined;
      return undefined;
    });
    if (wasThere) this.changes.emit("removed", key);
  }

  async close(): Promise<void> {
    await this.#rows.close();
    this.changes.removeAllListeners();
  }
}
