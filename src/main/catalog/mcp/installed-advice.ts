import { EventEmitter } from "node:events";
import type { Advice, McpList, Plugin } from "../../../contract/index.ts";
import { cleanLine } from "../../../contract/shown/clean-text.ts";
import type { RegistryEntry } from "../../runtimes/mcp/registry/entry.ts";
import { adviceOf } from "./found-servers.ts";

interface Needs {
  plugins(): readonly Plugin[];
  mcpRegistry: {
    list(wait: boolean): Promise<unknown>;
    listed(name: string): Pick<RegistryEntry, "status" | "statusMessage"> | null;
    known(): McpList;
    readonly changes: EventEmitter<{ list: [] }>;
  };
}

/** What a registry says against servers that are installed: withdrawn ones are marked wherever the plugin is shown. */
export class InstalledAdvice {
  readonly #needs: Needs;
  readonly #told = new Map<string, string>();
  /** `advice`: other things are said of the plugin with this key than before. */
  readonly changes = new EventEmitter<{ advice: [key: string] }>();

  constructor(needs: Needs) {
    this.#needs = needs;
    needs.mcpRegistry.changes.on("list", () => {
      // A list that is fetched for the first time is used when all of it is there.
      if (needs.mcpRegistry.known().reading === null) this.#tell();
    });
  }

  /** Asks the registry, where something of it is installed; its list may be up to an hour old. */
  async look(): Promise<void> {
    if (this.#needs.plugins().some((plugin) => registeredName(plugin) !== null))
      await this.#needs.mcpRegistry.list(false);
  }

  /** null: nothing is said against it. */
  on(plugin: Plugin): Advice | null {
    const name = registeredName(plugin);
    const entry = name === null ? null : this.#needs.mcpRegistry.listed(name);
    const advice = entry && adviceOf(entry);
    return advice && { ...advice, ...(advice.message && { message: cleanLine(advice.message) }) };
  }

  #tell(): void {
    for (const plugin of this.#needs.plugins()) {
      const said = JSON.stringify(this.on(plugin));
      if ((this.#told.get(plugin.manifestKey) ?? "null") === said) continue;
      this.#told.set(plugin.manifestKey, said);
      this.changes.emit("advice", plugin.manifestKey);
    }
  }
}

/** The name in the registry that a plugin was installed by; null: it came from somewhere else. */
export function registeredName({ source }: Plugin): string | null {
  if (source.kind !== "mcp-registry") return null;
  const { resolved } = source;
  const at = resolved?.lastIndexOf("@") ?? -1;
  return at > 0 ? (resolved?.slice(0, at) ?? null) : null;
}
