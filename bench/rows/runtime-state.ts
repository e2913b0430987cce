import { once } from "node:events";
import { readFileSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Core } from "../core/core.ts";
import type { Row } from "../row.ts";

const perSecond = 1000;

/** A plugin reports a thousand states a second: how often the disk is written, and whether the last state arrives. */
export const runtimeState: Row = {
  id: "runtime-state",
  async run({ quick }) {
    const seconds = quick ? 3 : 10;
    await using core = await Core.open(["bench-reporter"]);
    await core.agent("a", ["bench-reporter"]);
    const file = join(core.home, "agents/a/agent-plugins.json");
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const writes = new WriteCounter(file);
    delay.enable();
    await core.call("a", "report__states", { perSecond, seconds });
    delay.disable();
    const total = perSecond * seconds;
    await arrives(() => stateOnDisk(file) === total, 2000);
    const count = writes.close();
    const { runtimeState: shown } = await core.client.agentPlugins.get({
      agentId: "a",
      key: "bench-reporter",
    });
    // On a busy machine the plugin takes longer than planned, so the rate is computed from the time that really passed.
    const rate = count / writes.seconds;
    const isFinal = shown?.count === total && stateOnDisk(file) === total;
    return [
      {
        row: "runtime-state",
        what: `${perSecond.toLocaleString("en")} runtimeState updates/s for ${seconds} s`,
        value: rate,
        unit: "writes/s",
        baseline: null,
        goal: "≤ 2 writes/s, the last value on disk",
        met: rate <= 2 && isFinal,
        notes: {
          lastReported: total,
          lastOnDisk: stateOnDisk(file) ?? "none",
          longestStallOfTheCoreMs: delay.max / 1e6,
        },
      },
    ];
  },
};

/** Counts how often a file is replaced. */
class WriteCounter {
  readonly #file: string;
  readonly #watcher: ReturnType<typeof watch>;
  readonly #since = performance.now();
  #lastAt = this.#since;
  #last: string;
  #count = 0;

  constructor(file: string) {
    this.#file = file;
    this.#last = this.#version();
    this.#watcher = watch(dirname(file), (_kind, name) => {
      if (name === basename(file)) this.#look();
    });
  }

  /** From the start to the last write. */
  get seconds(): number {
    return (this.#lastAt - this.#since) / 1000;
  }

  close(): number {
    this.#watcher.close();
    this.#look();
    return this.#count;
  }

  #look(): void {
    const version = this.#version();
    if (version === this.#last) return;
    this.#count += 1;
    this.#last = version;
    this.#lastAt = performance.now();
  }

  #version(): string {
    const { ino, mtimeNs } = statSync(this.#file, { bigint: true });
    return `${ino} ${mtimeNs}`;
  }
}

function stateOnDisk(file: string): number | undefined {
  const count = /"count":\s*(\d+)/.exec(readFileSync(file, "utf8"))?.[1];
  return count === undefined ? undefined : Number(count);
}

async function arrives(condition: () => boolean, limitMs: number): Promise<void> {
  const clock = AbortSignal.timeout(limitMs);
  while (!condition() && !clock.aborted) {
    await once(AbortSignal.timeout(20), "abort");
  }
}
