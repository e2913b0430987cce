import { EventEmitter } from "node:events";
import { type Plugin, pluginSchema } from "../../contract/index.ts";
import type { Inspection } from "../runtimes/runtime.ts";
import type { Collection, Guard, Rows, Storage } from "../store/index.ts";
import { checkTaken } from "./check-taken.ts";
import { withArtifact, withFledgeReach } from "./older-plugin-rows.ts";

/** How a store of rows is guarded: the signatures, and who hears of rows that were set aside. */
export type RowGuard = Pick<Guard<never>, "signer" | "onSetAside">;

export interface PluginRegistryOptions {
  storage: Pick<Storage, "rows">;
  /** Turns a stored row of version 2 into today's form, in which a path says where each secret lies in the settings. */
  upgrade?(old: unknown): unknown;
  /** Signs the rows, and hears of those that somebody else changed. */
  guard?: RowGuard;
}

function collection(upgrade: (old: unknown) => unknown, guard: RowGuard | undefined): Collection<Plugin> {
  return {
    ...(guard && { guard: { ...guard, volatile: [] } }),
    name: "plugins",
    schema: pluginSchema,
    version: 4,
    migrations: { 1: withArtifact, 2: upgrade, 3: withFledgeReach },
  };
}

/** The installed plugins: one row for each plugin key. */
export class PluginRegistry {
  readonly changes = new EventEmitter<{ put: [plugin: Plugin]; removed: [key: string] }>();
  readonly #rows: Rows<Plugin>;

  constructor({ storage, upgrade = (old) => old, guard }: PluginRegistryOptions) {
    this.#rows = storage.rows(collection(upgrade, guard));
  }

  /** All rows, sorted by plugin key. */
  list(): Plugin[] {
    return [...this.#rows.all().values()].sort((a, b) => (a.manifestKey < b.manifestKey ? -1 : 1));
  }

  get(key: string): Plugin | undefined {
    return this.#rows.get(key);
  }

  /**
   * Refuses a package whose key or tool namespace belongs to another installed package. A row with the same key and the
   * same package name counts as this package itself, and may be replaced.
   *
   * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN
   */
  checkTaken(claim: Inspection, replaces = false): void {
    const own = this.get(claim.manifestKey)?.packageName === claim.packageName;
    checkTaken(claim, this.list(), own || replaces);
  }

  /** Adds a row or replaces the one with the same key. The row is on disk when the promise resolves. */
  async put(plugin: Plugin): Promise<void> {
    await this.#rows.change(plugin.manifestKey, () => plugin);
    this.changes.emit("put", plugin);
  }

  /** Removes a row; does nothing when there is none. Done on disk when the promise resolves. */
  async remove(key: string): Promise<void> {
    let wasThere = false;
    await this.#rows.change(key, (row) => {
      wasThere = row !== undefined;
      return undefined;
    });
    if (wasThere) this.changes.emit("removed", key);
  }

  /** True while it cannot be said whether the rows are genuine. */
  get unproven(): boolean {
    return this.#rows.unproven;
  }

  /** Judges the rows again, as `Rows.review` does. */
  review(adopt: boolean): void {
    for (const key of this.#rows.review(adopt)) {
      const plugin = this.get(key);
      if (plugin) this.changes.emit("put", plugin);
      else this.changes.emit("removed", key);
    }
  }

  async close(): Promise<void> {
    await this.#rows.close();
    this.changes.removeAllListeners();
  }
}
