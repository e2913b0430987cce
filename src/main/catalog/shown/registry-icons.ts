import { EventEmitter } from "node:events";
import type { Plugin } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { Slots } from "../../base/slots.ts";
import { type addressesOf, judgedFetch } from "../../platform/walls/network/judged-fetch.ts";
import { publicJudge } from "../../platform/walls/network/public-judge.ts";
import { fetchIcon } from "../../runtimes/mcp/icons/fetch-icon.ts";
import { registeredIcons } from "../../runtimes/mcp/registry/registered-icons.ts";
import { registeredName } from "../mcp/installed-advice.ts";
import type { McpRegistry } from "../mcp/registry.ts";
import { IconCache } from "./icon-cache.ts";

/** So many are asked for at once. */
const AT_ONCE = 4;

interface Needs {
  mcpRegistry: Pick<McpRegistry, "listed" | "known" | "changes">;
  /** Address of the registry; null: none is used. */
  address(): string | null;
  plugins(): readonly Plugin[];
  /** Folder of the icons that were fetched. */
  dir: string;
  clock?: Clock;
  resolve?: typeof addressesOf;
}

/**
 * Icons of the servers that a registry lists. They are asked for by the core, when somebody looks at a server or has it
 * installed, and then kept; from the public internet alone, or from the registry itself.
 */
export class RegistryIcons {
  readonly #needs: Needs;
  readonly #cache: IconCache;
  readonly #slots = new Slots(AT_ONCE);
  readonly #asking = new Map<string, Promise<string | null>>();
  readonly #leaving = new AbortController();
  /** By the name in the registry, of what is installed. */
  readonly #installed = new Map<string, string>();
  /** `icon`: the plugin with this key has another icon than before. */
  readonly changes = new EventEmitter<{ icon: [key: string] }>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#cache = new IconCache(needs.dir, needs.clock ?? systemClock);
    needs.mcpRegistry.changes.on("list", () => {
      if (needs.mcpRegistry.known().reading === null) this.look();
    });
  }

  /** The icon of a server that the registry lists, as a `data:` address; null where it has none that is shown. */
  async of(name: string): Promise<string | null> {
    const registry = this.#needs.address();
    const entry = registry === null ? null : this.#needs.mcpRegistry.listed(name);
    if (registry === null || entry === null || entry.status === "deleted") return null;
    for (const url of registeredIcons(entry, registry)) {
      const icon = await this.#at(url, registry);
      if (icon !== null) return icon;
    }
    return null;
  }

  /** What is known now of the icon of a plugin that came from the registry. */
  on(plugin: Plugin): string | undefined {
    const name = registeredName(plugin);
    return name === null ? undefined : this.#installed.get(name);
  }

  /** Looks for the icons of what is installed and brings none of its own. */
  look(): void {
    for (const plugin of this.#needs.plugins()) {
      const name = registeredName(plugin);
      if (name === null || plugin.declaration.icon !== undefined) continue;
      void this.of(name).then((icon) => {
        if (icon === null || this.#installed.get(name) === icon) return;
        this.#installed.set(name, icon);
        this.changes.emit("icon", plugin.manifestKey);
      });
    }
  }

  close(): void {
    this.#leaving.abort();
  }

  /** Asked once, however many want it. Never rejects. */
  #at(url: URL, registry: string): Promise<string | null> {
    const known = this.#asking.get(url.href);
    if (known) return known;
    const asked = this.#ask(url, registry)
      .catch(() => null)
      .finally(() => this.#asking.delete(url.href));
    this.#asking.set(url.href, asked);
    return asked;
  }

  async #ask(url: URL, registry: string): Promise<string | null> {
    const kept = await this.#cache.get(url.href);
    if (kept !== undefined) return kept;
    const { signal } = this.#leaving;
    const fetch = judgedFetch(publicJudge([new URL(registry)]), this.#needs.resolve);
    const icon = await this.#slots.hold(signal, () => fetchIcon(url, fetch, signal).catch(() => null));
    signal.throwIfAborted();
    await this.#cache.put(url.href, icon);
    return icon;
  }
}
