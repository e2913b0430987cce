import { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { type Growth, growthInWords, type Plugin } from "../../contract/index.ts";
import type { PluginRuntime } from "../runtimes/runtime.ts";
import { offeredBeyond } from "./consent/growth.ts";
import { named, ownKeyOf } from "./install/claims.ts";
import { inspectPackage, isInspection } from "./install/inspect-package.ts";
import type { AuditTrail } from "./services.ts";

interface LinkedFoldersNeeds {
  runtimes: readonly PluginRuntime[];
  audit?: AuditTrail;
}

/** Milliseconds that reading what a folder declares may take. */
const READ_MS = 10_000;

/**
 * What linked folders declare today beyond what the person agreed to. Their files may change at any time, which is what
 * linking is for; but what is granted stays what the row says. More is shown, and asked when the person updates the plugin.
 */
export class LinkedFolders {
  readonly changes = new EventEmitter<{ grown: [key: string] }>();
  readonly #needs: LinkedFoldersNeeds;
  readonly #grown = new Map<string, readonly Growth[]>();

  constructor(needs: LinkedFoldersNeeds) {
    this.#needs = needs;
  }

  /** What the plugin's folder declared beyond the consent when it was last read. Empty for all that is not linked. */
  grown(key: string): readonly Growth[] {
    return this.#grown.get(key) ?? [];
  }

  /**
   * Reads what the folder declares, from its files: nothing of it runs. A folder that cannot be read, or that only its
   * code can describe, declares nothing here: the start says what is wrong, and the core judges what is offered.
   */
  async look(plugin: Plugin): Promise<readonly Growth[]> {
    const key = plugin.manifestKey;
    const grown = plugin.source.kind === "link" ? await this.#declaredBeyond(plugin) : [];
    const before = this.grown(key);
    if (isDeepStrictEqual(before, grown)) return grown;
    if (grown.length === 0) this.#grown.delete(key);
    else {
      this.#grown.set(key, grown);
      const { packageName } = plugin;
      this.#needs.audit?.record({
        kind: "consent.exceeded",
        pluginKey: key,
        packageName,
        changes: grown.map(growthInWords),
        linked: true,
      });
    }
    this.changes.emit("grown", key);
    return grown;
  }

  async #declaredBeyond(plugin: Plugin): Promise<readonly Growth[]> {
    const runtimes = this.#needs.runtimes.filter(({ id }) => id === plugin.runtime);
    try {
      const { found, runtime } = await inspectPackage(
        plugin.artifact,
        runtimes,
        AbortSignal.timeout(READ_MS),
      );
      if (!isInspection(found) || found.manifestKey !== ownKeyOf(plugin)) return [];
      return offeredBeyond(plugin, named(found, runtime, plugin.manifestKey));
    } catch {
      return [];
    }
  }
}
