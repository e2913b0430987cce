import { EventEmitter } from "node:events";
import { join } from "node:path";
import { z } from "zod";
import { type Plugin, type Problem, pluginSchema } from "../../contract/index.ts";
import type { Inspection } from "../runtimes/runtime.ts";
import { openStateFile, type StateFile } from "../store/index.ts";
import { checkTaken } from "./check-taken.ts";
import { withArtifact } from "./older-plugin-rows.ts";

const fileSchema = z.object({ plugins: z.array(pluginSchema) });
type FileData = z.infer<typeof fileSchema>;

export interface PluginRegistryOptions {
  home: string;
  onNotice(problem: Problem): void;
  /** Brings rows of version 2 to what plugin systems say of settings now. */
  upgrade?(old: unknown): unknown;
}

/** What is installed: the rows of `<home>/plugins.json`, one a plugin key. */
export class PluginRegistry {
  readonly changes = new EventEmitter<{ put: [plugin: Plugin]; removed: [key: string] }>();
  readonly #file: StateFile<FileData>;
  #byKey: Map<string, Plugin>;

  constructor(options: PluginRegistryOptions) {
    this.#file = openStateFile<FileData>({
      path: join(options.home, "plugins.json"),
      schema: fileSchema,
      version: 3,
      migrations: { 1: withArtifact, 2: options.upgrade ?? ((old) => old) },
      initial: () => ({ plugins: [] }),
      onNotice: options.onNotice,
    });
    this.#byKey = indexed(this.#file.get().plugins);
  }

  /** In the order of the keys. */
  list(): Plugin[] {
    return [...this.#byKey.values()].sort((a, b) => (a.manifestKey < b.manifestKey ? -1 : 1));
  }

  get(key: string): Plugin | undefined {
    return this.#byKey.get(key);
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
    this.#save(new Map(this.#byKey).set(plugin.manifestKey, plugin));
    this.changes.emit("put", plugin);
  }

  /** Does nothing when there is no such row. Kept when it resolves. */
  async remove(key: string): Promise<void> {
    if (!this.#byKey.has(key)) return;
    const rest = new Map(this.#byKey);
    rest.delete(key);
    this.#save(rest);
    this.changes.emit("removed", key);
  }

  async close(): Promise<void> {
    this.#file.close();
    this.changes.removeAllListeners();
  }

  #save(byKey: Map<string, Plugin>): void {
    this.#file.update(() => ({ plugins: [...byKey.values()] }));
    this.#byKey = byKey;
  }
}

function indexed(plugins: readonly Plugin[]): Map<string, Plugin> {
  return new Map(plugins.map((plugin) => [plugin.manifestKey, plugin]));
}
