import { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { Plugin, Problem } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { IntegrityCheck } from "../catalog/index.ts";
import type { PluginRegistry } from "../registry/index.ts";

export interface LoadCheckSources {
  registry: Pick<PluginRegistry, "get" | "list">;
  checkIntegrity: IntegrityCheck;
  clock?: Clock;
}

/** Milliseconds between two checks of all plugins while the app runs. A little more than hashes are believed. */
const EVERY_MS = 6 * 60 * 60 * 1_000 + 60_000;

/** Remembers for each installed plugin whether its files are still those that were installed. */
export class LoadChecks {
  readonly changes = new EventEmitter<{ checked: [key: string] }>();
  private readonly registry: LoadCheckSources["registry"];
  private readonly checkIntegrity: IntegrityCheck;
  private readonly clock: Clock;
  private readonly problems = new Map<string, Problem>();
  private cancel: (() => void) | undefined;

  constructor(options: LoadCheckSources) {
    this.registry = options.registry;
    this.checkIntegrity = options.checkIntegrity;
    this.clock = options.clock ?? systemClock;
  }

  problemOf(key: string): Problem | null {
    return this.problems.get(key) ?? null;
  }

  /** Looks at the files of one plugin now. */
  async check(plugin: Plugin): Promise<Problem | null> {
    const key = plugin.manifestKey;
    const before = this.problemOf(key);
    const problem = await this.checkIntegrity(plugin);
    if (problem && this.registry.get(key)) this.problems.set(key, problem);
    else this.problems.delete(key);
    if (!isDeepStrictEqual(before, problem)) this.changes.emit("checked", key);
    return problem;
  }

  /** Looks at all of them, one after the other, so that nothing else waits for the disk. */
  async checkAll(): Promise<void> {
    for (const plugin of this.registry.list()) await this.check(plugin);
  }

  /** Looks at all of them now and then again, until `close`. */
  watch(tell: (error: unknown) => void): void {
    this.cancel?.();
    this.cancel = this.clock.after(EVERY_MS, () => this.watch(tell));
    this.checkAll().catch(tell);
  }

  close(): void {
    this.cancel?.();
    this.cancel = undefined;
  }

  forget(key: string): void {
    this.problems.delete(key);
  }
}
