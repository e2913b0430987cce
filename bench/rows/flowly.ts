import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostEnvironment } from "../../src/main/platform/host-environment.ts";
import { lineProcess } from "../../src/main/platform/lines/line-process.ts";
import { spawnNodeHost } from "../../src/main/platform/spawned-host.ts";
import { type PythonForHosts, Pythons } from "../../src/main/runtimes/flowly/python/pythons.ts";
import { Core } from "../core/core.ts";
import { root } from "../core/paths.ts";
import type { Result, Row } from "../row.ts";
import { interleaved, median, percentile, timed } from "../stats.ts";

const plugin = join(root, "bench/plugins/bench-flowly");
const plugins = 20;

/**
 * A Flowly plugin's host until it is ready, beside the same Python that does nothing; a call through the whole pipeline; and
 * twenty plugins of one agent that are started at once, behind their walls.
 */
export const flowly: Row = {
  id: "flowly",
  async run({ quick }) {
    const home = await mkdtemp(join(tmpdir(), "patchbay-bench-python-"));
    try {
      return [await ready(home, quick), await call(quick), await parallel(home, quick)];
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function ready(home: string, quick: boolean): Promise<Result> {
  const resourcesDir = join(root, "resources");
  const pythons = new Pythons({ settings: { get: () => ({ python: null }) }, root: home, resourcesDir });
  const python = await pythons.pick();
  const samples = await interleaved(
    { host: () => startHost(python, home), bare: () => runNothing(python) },
    quick ? 20 : 100,
    quick ? 5 : 10,
  );
  const [value, bare] = [median(samples.host), median(samples.bare)];
  return {
    row: "flowly-ready",
    what: "host of a Flowly plugin until its plugin is loaded, p50",
    value,
    unit: "ms",
    baseline: { what: "the same Python, python3 -c pass, p50", value: bare },
    goal: "≤ 1.3 × python3 -c pass",
    met: value <= 1.3 * bare,
    notes: { p95: percentile(samples.host, 0.95), python: python.version },
  };
}

async function startHost(python: PythonForHosts, home: string): Promise<void> {
  const host = lineProcess(
    spawnNodeHost({
      file: python.file,
      args: [...python.args, python.main],
      cwd: tmpdir(),
      env: hostEnvironment(),
      wire: "private",
    }),
  );
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  host.onMessage((message) => {
    const { t } = message as { t: string };
    if (t === "started") resolve();
    if (t === "failed") reject(new Error(JSON.stringify(message)));
  });
  const manifest = { name: "bench-flowly", version: "1.0.0", kind: "standalone", source: "user" };
  host.post({
    t: "start",
    start: { dir: plugin, key: "bench-flowly", home, site: python.site, manifest, memoryMb: 256 },
  });
  await started;
  // Its end is no part of being ready.
  host.kill();
}

async function runNothing({ file }: PythonForHosts): Promise<void> {
  const child = spawn(file, ["-c", "pass"], { env: hostEnvironment(), stdio: "ignore" });
  await once(child, "exit");
}

async function call(quick: boolean): Promise<Result> {
  await using core = await Core.open(["bench-flowly"]);
  await core.agent("plain", ["bench-flowly"]);
  const echo = (text = "") => text;
  const samples = await interleaved(
    {
      call: () => core.call("plain", "bench-flowly__echo", { text: "hello" }),
      bare: async () => echo("hello"),
    },
    quick ? 300 : 3000,
    100,
  );
  const [value, bare] = [median(samples.call), median(samples.bare)];
  return {
    row: "flowly-call",
    what: "Flowly tool call, whole pipeline, p50",
    value,
    unit: "ms",
    baseline: { what: "the bare function, p50", value: bare },
    goal: "≤ 0.5 ms more than the bare function",
    met: value - bare <= 0.5,
    notes: { p95: percentile(samples.call, 0.95) },
  };
}

async function parallel(home: string, quick: boolean): Promise<Result> {
  await using core = await Core.open([]);
  const keys = Array.from({ length: plugins }, (_, at) => `bench-flowly-${at}`);
  for (const key of keys) {
    const folder = join(home, key);
    await cp(plugin, folder, { recursive: true });
    await writeFile(join(folder, "plugin.yaml"), `name: ${key}\nversion: 1.0.0\n`);
    await core.install(folder, true);
  }
  await core.agent("many", []);
  const set = (key: string, enabled: boolean) =>
    core.client.agentPlugins.set({ agentId: "many", key, enabled });
  const samples: number[] = [];
  for (let round = 0; round < (quick ? 3 : 12); round += 1) {
    const ms = await timed(async () => {
      const rows = await Promise.all(keys.map((key) => set(key, true)));
      const odd = rows.find(({ instance }) => instance.state !== "running");
      if (odd) throw new Error(`${odd.pluginKey} is ${odd.instance.state}.`);
    });
    if (round > 0) samples.push(ms);
    await Promise.all(keys.map((key) => set(key, false)));
  }
  const value = median(samples);
  return {
    row: "flowly-parallel",
    what: "20 Flowly plugins of one agent, started at once behind their walls, p50",
    value,
    unit: "ms",
    baseline: null,
    goal: "≤ 1,500 ms",
    met: value <= 1_500,
    notes: { worst: percentile(samples, 1) },
  };
}
