import { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { Plugin, Problem } from "../../contract/index.ts";
import type { IntegrityCheck } from "../catalog/index.ts";
import type { PluginRegistry } from "../registry/index.ts";

export interface LoadCheckSources {
  registry: Pick<PluginRegistry, "get" | "list">;
  checkIntegrity: IntegrityCheck;
}

/** Remembers for each installed plugin whether its files are still those that were installed. */
export class LoadChecks {
  readonly changes = new EventEmitter<{ checked: [key: string] }>();
  private readonly registry: LoadCheckSources["registry"];
  private readonly checkIntegrity: IntegrityCheck;
  private readonly problems = new Map<string, Problem>();

  constructor(options: LoadCheckSources) {
    this.registry = options.registry;
    this.checkIntegrity = options.checkIntegrity;
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

  forget(key: string): void {
    this.problems.delete(key);
  }
}
