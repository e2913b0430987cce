import type { Plugin, Settings } from "../../contract/index.ts";
import type { Platform } from "../platform/platform.ts";
import type { Inspection, PluginRuntime } from "../runtimes/runtime.ts";
import type { Storage } from "../store/index.ts";

/** What the catalogue needs of the registry of installed plugins. */
export interface InstalledPlugins {
  list(): Plugin[];
  get(key: string): Plugin | undefined;
  /** On disk when the promise resolves. */
  put(plugin: Plugin): Promise<void>;
  remove(key: string): Promise<void>;
  /** @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN when another package has the same key or tool namespace. */
  checkTaken(claim: Inspection): void;
}

/** What the catalogue needs of the pool, which runs plugins. */
export interface PoolHooks {
  /**
   * Starts a new version for every agent that uses the plugin. Throws when it does not start for one of them; the old
   * version then runs for all.
   */
  trial(plugin: Plugin): Promise<void>;
  /** Stops a plugin for all agents. */
  stopPlugin(key: string): Promise<void>;
}

export interface AuditTrail {
  record(event: { kind: string; pluginKey?: string; [detail: string]: unknown }): void;
}

export interface CatalogServices {
  storage: Pick<Storage, "rows" | "places">;
  platform: Platform;
  registry: InstalledPlugins;
  runtimes: readonly PluginRuntime[];
  pool: PoolHooks;
  settings: { get(): Pick<Settings, "registry" | "catalogUrls"> };
  audit?: AuditTrail;
  /** Called just before (`keep`) and just after (`endSignIns`) a plugin is removed from the list of installed plugins. */
  gone?: { keep(plugin: Plugin): Promise<void>; endSignIns(key: string): Promise<void> };
}
