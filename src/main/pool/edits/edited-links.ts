import { type FSWatcher, watch } from "node:fs";
import type { Plugin } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import type { PoolOptions } from "../ports.ts";
import type { Slot } from "../slot/slot.ts";

/** Milliseconds without a further change after which a plugin is started anew: editors and builds write several files. */
const QUIET_MS = 400;

/** Restarts for edits within {@link SPELL_MS} after which a plugin that changes its own files is left alone for that long. */
const MOST_RESTARTS = 10;
const SPELL_MS = 60_000;

/** What comes and goes beside code while it runs, or is no code. */
const beside = /(?:^|[\\/])(?:\.[^\\/]*|__pycache__|node_modules|[^\\/]*\.pyc|[^\\/]*~)(?:[\\/]|$)/;

const tooOften = `Its files were edited again. It was started anew ${MOST_RESTARTS} times within a minute, so it goes on with its older code; restart it to take the newer one.`;

interface Watched {
  plugin: Plugin;
  watcher: FSWatcher;
  cancel: (() => void) | null;
  /** When it was started anew for an edit, on the clock's `ticks`. */
  restarts: number[];
}

/**
 * Starts linked plugins anew after an edit of their files, where their plugin system wants that (`reloadsEdits`): no old
 * code goes on running. Plugins that are off or wait for their first use are left as they are.
 */
export class EditedLinks {
  readonly #registry: PoolOptions["registry"];
  readonly #runtimes: PoolOptions["runtimes"];
  readonly #slotsOf: (key: string) => readonly Slot[];
  readonly #clock: Clock;
  readonly #watched = new Map<string, Watched>();

  constructor(
    { registry, runtimes }: Pick<PoolOptions, "registry" | "runtimes">,
    slotsOf: (key: string) => readonly Slot[],
    clock: Clock,
  ) {
    this.#registry = registry;
    this.#runtimes = runtimes;
    this.#slotsOf = slotsOf;
    this.#clock = clock;
  }

  /** To be called when a plugin has a slot: watches its folder if it is a linked one, once. */
  watch(key: string): void {
    const plugin = this.#registry.get(key);
    const known = this.#watched.get(key);
    if (known && known.plugin === plugin) return;
    this.forget(key);
    if (!plugin || !this.#reloads(plugin) || plugin.artifact.kind !== "folder") return;
    try {
      const { dir, file: only } = plugin.artifact;
      const isBeside = (file: string) => beside.test(file) || (only !== undefined && file !== only);
      // What is ignored is not looked through either: a folder of packages can hold thousands of files.
      const options = { recursive: true, persistent: false, ignore: isBeside };
      const watcher = watch(dir, options);
      const watched: Watched = { plugin, watcher, cancel: null, restarts: [] };
      watcher.on("change", (_kind, file) => {
        // A Node before 24.14 ignores nothing by itself.
        if (!isBeside(String(file))) this.#changed(key, watched);
      });
      watcher.on("error", () => this.forget(key));
      this.#watched.set(key, watched);
    } catch {
      // A folder that is gone: the next start says so.
    }
  }

  /** Ends watching one plugin's folder. */
  forget(key: string): void {
    const watched = this.#watched.get(key);
    this.#watched.delete(key);
    watched?.cancel?.();
    watched?.watcher.close();
  }

  stop(): void {
    for (const key of [...this.#watched.keys()]) this.forget(key);
  }

  #reloads({ runtime, source }: Plugin): boolean {
    return (
      source.kind === "link" && this.#runtimes.some(({ id, reloadsEdits }) => id === runtime && reloadsEdits)
    );
  }

  #changed(key: string, watched: Watched): void {
    watched.cancel?.();
    watched.cancel = this.#clock.after(QUIET_MS, () => {
      watched.cancel = null;
      const now = this.#clock.ticks();
      watched.restarts = watched.restarts.filter((at) => now - at < SPELL_MS);
      const running = this.#slotsOf(key).filter(({ state }) => state !== "stopped");
      if (watched.restarts.length >= MOST_RESTARTS) {
        for (const { journal } of running) journal.log("warn", tooOften, "patchbay");
        return;
      }
      watched.restarts.push(now);
      for (const slot of running) {
        slot.journal.log("info", "Its files were edited, so it is started anew.", "patchbay");
        void slot.restart();
      }
    });
  }
}
