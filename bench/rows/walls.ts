import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forkNodeHost } from "../../src/main/platform/node-host-process.ts";
import type { HostProcess } from "../../src/main/platform/platform.ts";
import type { Wall } from "../../src/main/platform/walls/wall.ts";
import { wallOfInspection } from "../../src/main/runtimes/wall-of.ts";
import { root } from "../core/paths.ts";
import type { Result, Row } from "../row.ts";
import { median } from "../stats.ts";

const bundleDir = join(root, "out/main");
const plugin = join(root, "bench/plugins/bench-echo");
const wall: Wall = {
  ...wallOfInspection(plugin),
  hidden: [join(tmpdir(), "patchbay-bench-home")],
  network: { decide: async () => ({ allowed: true }) },
};

/** The same host behind its wall and without one: until it has loaded a plugin, one round trip, and memory. */
export const walls: Row = {
  id: "walls",
  async run({ quick }) {
    const samples = { walled: [] as number[], open: [] as number[] };
    const trips = { walled: [] as number[], open: [] as number[] };
    const sizes = { walled: [] as number[], open: [] as number[] };
    const warmup = 2;
    const rounds = warmup + (quick ? 5 : 25);
    for (let round = 0; round < rounds; round += 1) {
      for (const kind of ["walled", "open"] as const) {
        const begin = performance.now();
        const host = new Host(kind === "walled" ? wall : undefined);
        await host.inspect();
        const startMs = performance.now() - begin;
        const tripMs = await host.roundTrip(quick ? 200 : 1_000);
        const megabytes = memoryMb(host.pid);
        await host.end();
        if (round < warmup) continue;
        samples[kind].push(startMs);
        trips[kind].push(tripMs);
        sizes[kind].push(megabytes);
      }
    }
    const of = (values: { walled: number[]; open: number[] }) => ({
      walled: median(values.walled),
      open: median(values.open),
    });
    const [start, trip, size] = [of(samples), of(trips), of(sizes)];
    const results: Result[] = [
      {
        row: "walls-start",
        what: "host behind its wall until it has loaded a plugin, p50",
        value: start.walled,
        unit: "ms",
        baseline: { what: "without a wall, p50", value: start.open },
        goal: "≤ 1.5 × without",
        met: start.walled <= 1.5 * start.open,
      },
      {
        row: "walls-trip",
        what: "one message to a walled host and back, p50",
        value: trip.walled,
        unit: "ms",
        baseline: { what: "without a wall, p50", value: trip.open },
        goal: "≤ 1.1 × without",
        met: trip.walled <= 1.1 * trip.open,
      },
      {
        row: "walls-memory",
        what: "memory of a walled host with what walls it (proportional set size)",
        value: size.walled,
        unit: "MB",
        baseline: { what: "without a wall", value: size.open },
        goal: "≤ 10 MB more",
        met: size.walled - size.open <= 10,
      },
    ];
    return results;
  },
};

class Host {
  readonly #process: HostProcess;
  #told: (message: { t: string; id?: number }) => void = () => {};
  readonly #gone: Promise<void>;

  constructor(wall: Wall | undefined) {
    this.#process = forkNodeHost(bundleDir, {
      entry: "host",
      name: "patchbay-bench",
      cwd: tmpdir(),
      env: { PATH: process.env.PATH ?? "" },
      memoryMb: 256,
      ...(wall && { wall }),
    });
    this.#process.onMessage((message) => this.#told(message as { t: string }));
    this.#gone = new Promise((resolve) => this.#process.onExit(() => resolve()));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async inspect(): Promise<void> {
    const { t } = await this.#ask({ t: "inspect", inspect: { dir: plugin } }, "inspected", "failed");
    if (t === "failed") throw new Error("The plugin could not be loaded behind the wall.");
  }

  /** Milliseconds of one round trip, over many. */
  async roundTrip(count: number): Promise<number> {
    const begin = performance.now();
    for (let id = 1; id <= count; id += 1) await this.#ask({ t: "ping", id }, "pong");
    return (performance.now() - begin) / count;
  }

  end(): Promise<void> {
    this.#process.kill();
    return this.#gone;
  }

  #ask(message: object, ...answers: string[]): Promise<{ t: string }> {
    return new Promise((resolve) => {
      this.#told = (answer) => answers.includes(answer.t) && resolve(answer);
      this.#process.post(message);
    });
  }
}

/** Megabytes of a process with everything below it; what several share is divided among them. */
function memoryMb(pid: number): number {
  const own =
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  );
  return children.reduce((sum, child) => sum + memoryMb(child), own);
}
