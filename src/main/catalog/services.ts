import type { CheckView, Inherit, Plugin, Settings } from "../../contract/index.ts";
import type { Platform } from "../platform/platform.ts";
import type { Inspection, PluginRuntime } from "../runtimes/runtime.ts";
import type { Storage } from "../store/index.ts";
import type { McpRegistry } from "./mcp/registry.ts";
import type { KnowsBrought, KnowsVersions } from "./sources/acquisition.ts";

/** What the catalogue needs of the registry of installed plugins. */
export interface InstalledPlugins {
  list(): Plugin[];
  get(key: string): Plugin | undefined;
  /** On disk when the promise resolves. */
  put(plugin: Plugin): Promise<void>;
  remove(key: string): Promise<void>;
  /**
   * @param replaces whether it may take the place of another package under its key
   * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN when another package has the same key or tool namespace.
   */
  checkTaken(claim: Inspection, replaces?: boolean): void;
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
  /** Starts a plugin anew for every agent that has it switched on. Resolves when all of them did, or failed. */
  startAgain(key: string): Promise<void>;
}

/** Starts plugins once to see what they offer, where only that shows it. */
export interface FirstStarts {
  /** Undefined where the plugin's files say what it offers. Aborting the signal ends the start. Never rejects. */
  check(
    plugin: Plugin,
    followed: { signal: AbortSignal; log(text: string): void },
  ): Promise<CheckView | undefined>;
  /** Whether what it offers was heard at this version already. */
  isHeard(plugin: Plugin): boolean;
  /** Whether such a start of it is under way. */
  isRunning(plugin: Plugin): boolean;
  /** Ends the start of a plugin that is under way. */
  end(key: string): Promise<void>;
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
  settings: { get(): Pick<Settings, "registry" | "catalogUrls" | "mcpRegistry"> };
  mcpRegistry: McpRegistry;
  brought: KnowsBrought;
  /** Absent: no plugin is started before it is switched on. */
  checks?: FirstStarts;
  /** Absent: servers have what is fetched for them in whatever version it has. */
  exactVersions?: KnowsVersions;
  /** Where what was pasted for a server is kept until an agent gets it. */
  pasted?: { keep(plugin: Plugin): Promise<void>; forget(plugin: Plugin): Promise<void> };
  audit?: AuditTrail;
  gone?: GoneHooks;
  /** Rows that somebody else changed. The files of such a plugin stay until the person has looked. */
  setAside?: { list(): readonly { collection: string; value: unknown }[] };
  /** Where a plugin that is uninstalled is kept for a while. Absent: its files are removed at once. */
  removed?: RemovedPlugins;
}

export interface RemovedPlugins {
  /** Called just before a plugin is removed from the list of installed plugins. What it throws keeps it installed. */
  keep(plugin: Plugin): Promise<void>;
  /** The plugins that are kept, whose files stay; null when it is not known which ones they are. */
  plugins(): Plugin[] | null;
}

/** What agents keep of a plugin that is removed, or whose key another package takes. */
export interface GoneHooks {
  /** Called just before a plugin is removed from the list of installed plugins, or another package takes its key. */
  keep(plugin: Plugin): Promise<void>;
  /** Called just after a plugin was removed from the list of installed plugins. */
  endSignIns(key: string): Promise<void>;
  /** What another package than this one left behind under its key; null when there is nothing. */
  leftFor(plugin: Plugin): { packageName: string; settings: number; rules: number; secrets: string[] } | null;
  /** Called just after a plugin was installed under a key that another package had. */
  takeOver(plugin: Plugin, inherit?: Inherit): Promise<void>;
}
