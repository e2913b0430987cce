import { EventEmitter } from "node:events";
import { type Plugin, pluginSchema } from "../../contract/index.ts";
import type { Inspection } from "../runtimes/runtime.ts";
import type { Collection, Rows, Storage } from "../store/index.ts";
import { checkTaken } from "./check-taken.ts";
import { withArtifact } from "./older-plugin-rows.ts";

const collection: Collection<Plugin> = {
  name: "plugins",
  schema: pluginSchema,
  version: 2,
  migrations: { 1: withArtifact },
};

/** What is installed: a row a plugin key. */
export class PluginRegistry {
  readonly changes = new EventEmitter<{ put: [plugin: Plugin]; removed: [key: string] }>();
  readonly #rows: Rows<Plugin>;

  constructor({ storage }: { storage: Pick<Storage, "rows"> }) {
    this.#rows = storage.rows(collection);
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
