import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { Figures } from "../children/janet.ts";
import { root } from "../core/paths.ts";
import type { Result, Row } from "../row.ts";
import { median, percentile } from "../stats.ts";

const starts = 11;

/** The Janet engine: how soon it is ready, a hook's round trip, an endless loop beside other work, and its memory. */
export const janet: Row = {
  id: "janet",
  async run({ quick, log }) {
    const bundle = await build();
    const runs: Figures[] = [];
    for (let start = 0; start < (quick ? 2 : starts); start += 1) {
      log(`janet: process ${start + 1}`);
      runs.push(await measure(bundle, quick));
    }
    const hook = median(runs.map(({ hooks }) => median(hooks)));
    const cold = median(runs.map(({ readyCold }) => readyCold));
    const loops = runs.map(({ loop }) => loop);
    const over = Math.max(...loops.map(({ ran, limit }) => ran - limit));
    const others = loops.flatMap(({ others }) => others);
    const mb = median(runs.map(({ memory }) => memory));
    const results: Result[] = [
      {
        row: "janet-ready",
        what: "Janet engine: a process of its own from its first line to the first answer, p50",
        value: cold,
        unit: "ms",
        baseline: null,
        goal: "≤ 30 ms",
        met: cold <= 30,
        notes: { furtherEngine: median(runs.flatMap(({ readyWarm }) => readyWarm)) },
      },
      {
        row: "janet-hook",
        what: "Janet engine: a hook's round trip with its context and result, p50",
        value: hook,
        unit: "ms",
        baseline: null,
        goal: "≤ 0.03 ms",
        met: hook <= 0.03,
        notes: { p95: median(runs.map(({ hooks }) => percentile(hooks, 0.95))) },
      },
      {
        row: "janet-loop",
        what: "Janet engine: how long after its limit of 500 ms an endless loop is stopped, longest",
        value: over,
        unit: "ms",
        baseline: null,
        goal: "≤ 50 ms, every other call answered in ≤ 50 ms",
        met: loops.every(({ interrupted }) => interrupted) && over <= 50 && Math.max(...others) <= 50,
        notes: {
          otherCallsP50: median(others),
          otherCallsLongest: Math.max(...others),
          calls: others.length,
        },
      },
      {
        row: "janet-memory",
        what: "Janet engine: memory of each idle one",
        value: mb,
        unit: "MB",
        baseline: null,
        goal: "≤ 15 MB",
        met: mb <= 15,
      },
    ];
    return results;
  },
};

/** The engine in one file, as the app has it. */
async function build(): Promise<string> {
  const bundle = await rolldown({
    input: join(root, "bench/children/janet.ts"),
    cwd: root,
    platform: "node",
    logLevel: "warn",
  });
  const file = join(root, "out/bench/janet.js");
  await bundle.write({ file, format: "esm", codeSplitting: false });
  await bundle.close();
  return file;
}

async function measure(bundle: string, quick: boolean): Promise<Figures> {
  const child = fork(bundle, quick ? ["quick"] : [], { execArgv: ["--expose-gc"] });
  const exited = once(child, "exit");
  const [figures] = await once(child, "message");
  await exited;
  return figures;
}
