import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LocalRegistry } from "../../test/mcp/servers/registry.ts";
import { Core } from "../core/core.ts";
import { BareClient, writeEchoServer } from "../core/mcp-server.ts";
import type { Result, Row, RowOptions } from "../row.ts";
import { interleaved, median, percentile, timed } from "../stats.ts";

const agentId = "a";
const many = 20;
const listed = 500;

/** MCP servers over the standard streams, beside the SDK's own client, and a registry that is typed into. */
export const mcp: Row = {
  id: "mcp",
  async run(options) {
    const folder = await mkdtemp(join(tmpdir(), "patchbay-bench-mcp-"));
    try {
      return [
        await called(folder, options),
        await ready(folder, options),
        await readyTogether(folder),
        await grown(folder, options),
        await left(folder, options),
        await searched(options),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** A core with one agent, and servers of these keys switched on. */
async function coreWith(folder: string, keys: readonly string[]): Promise<Core> {
  const core = await Core.open([]);
  for (const key of keys) {
    const dir = join(folder, key);
    await writeEchoServer(dir, key);
    await core.install(dir, false);
  }
  await core.agent(agentId, []);
  return core;
}

async function switchOn(core: Core, key: string): Promise<void> {
  await core.client.agentPlugins.set({ agentId, key, enabled: true });
  await core.client.tools.list({ agentId });
  const { instance } = await core.client.agentPlugins.get({ agentId, key });
  if (instance.state !== "running") throw new Error(`${key} is ${instance.state}.`);
}

async function called(folder: string, { quick }: RowOptions): Promise<Result> {
  const ratios: { bare: number; whole: number; p95: number }[] = [];
  for (let trial = 0; trial < (quick ? 1 : 7); trial += 1) {
    await using core = await coreWith(folder, ["echo"]);
    await switchOn(core, "echo");
    await using bare = await BareClient.start(join(folder, "echo", "server.mjs"));
    const text = "the quick brown fox jumps over the lazy dog";
    const samples = await interleaved(
      { bare: () => bare.call(text), whole: () => core.call(agentId, "echo__echo", { text }) },
      quick ? 500 : 2_000,
      quick ? 200 : 500,
    );
    ratios.push({
      bare: median(samples.bare),
      whole: median(samples.whole),
      p95: percentile(samples.whole, 0.95),
    });
  }
  ratios.sort((a, b) => a.whole / a.bare - b.whole / b.bare);
  const typical = ratios[Math.floor(ratios.length / 2)];
  if (!typical) throw new Error("There are no trials.");
  return {
    row: "mcp-call",
    what: "call of an MCP server's tool, whole pipeline, p50",
    value: typical.whole,
    unit: "ms",
    baseline: { what: "the SDK's client over stdio, p50", value: typical.bare },
    goal: "≤ 1.25 × the SDK's client",
    met: typical.whole <= 1.25 * typical.bare,
    notes: { p95: typical.p95, ratios: ratios.map(({ bare, whole }) => (whole / bare).toFixed(2)).join(" ") },
  };
}

async function ready(folder: string, { quick }: RowOptions): Promise<Result> {
  await using core = await coreWith(folder, ["echo"]);
  const file = join(folder, "echo", "server.mjs");
  const rounds = quick ? 6 : 33;
  const samples = {
    bare: [] as number[],
    walled: [] as number[],
    whole: [] as number[],
    switched: [] as number[],
  };
  for (let round = 0; round < rounds; round += 1) {
    const switched = await timed(() => switchOn(core, "echo"));
    const whole = await startedIn(core, "echo");
    await core.client.agentPlugins.set({ agentId, key: "echo", enabled: false });
    const bare = await startOf(() => BareClient.start(file));
    if (round < 3) continue;
    samples.bare.push(bare);
    samples.whole.push(whole);
    samples.switched.push(switched);
  }
  // In rounds of its own: while the system takes the network of one wall down, it makes that of the next more slowly.
  for (let round = 0; round < rounds; round += 1) {
    const walled = await startOf(() => BareClient.startWalled(file));
    if (round >= 3) samples.walled.push(walled);
  }
  const [bare, whole] = [median(samples.bare), median(samples.whole)];
  return {
    row: "mcp-ready",
    what: "MCP server, from its start until it runs behind its wall, p50",
    value: whole,
    unit: "ms",
    baseline: { what: "the SDK's client until it has connected and listed, no wall, p50", value: bare },
    goal: "≤ 1.1 × the SDK's client",
    met: whole <= 1.1 * bare,
    notes: {
      p95: percentile(samples.whole, 0.95),
      "with the switch saved before, p50": median(samples.switched),
      "the SDK's client behind the same kind of wall, p50": median(samples.walled),
    },
  };
}

/** Milliseconds that the last start of a plugin took, as its log says. */
async function startedIn(core: Core, key: string): Promise<number> {
  const lines = await core.client.agentPlugins.logs({ agentId, key });
  const last = lines.findLast(({ text }) => text.startsWith("Started in "));
  const ms = Number(/^Started in (\d+) ms/.exec(last?.text ?? "")?.[1]);
  if (Number.isNaN(ms)) throw new Error(`${key} did not start.`);
  return ms;
}

/** Milliseconds until a client knows the tools of a server that it has started. */
async function startOf(start: () => Promise<BareClient>): Promise<number> {
  let started: BareClient | undefined;
  const ms = await timed(async () => {
    started = await start();
  });
  await started?.[Symbol.asyncDispose]();
  return ms;
}

async function readyTogether(folder: string): Promise<Result> {
  const keys = Array.from({ length: many }, (_, at) => `server-${at}`);
  await using core = await coreWith(folder, keys);
  for (const key of keys) await core.client.agentPlugins.set({ agentId, key, enabled: true });
  const all = await timed(() => core.client.tools.list({ agentId }));
  const starts = await Promise.all(keys.map((key) => startedIn(core, key)));
  const slowest = Math.max(...starts);
  return {
    row: "mcp-many",
    what: `${many} MCP servers of one agent, all running`,
    value: all,
    unit: "ms",
    baseline: { what: "the slowest of them", value: slowest },
    goal: "≤ 1.6 × the slowest",
    met: all <= 1.6 * slowest,
  };
}

async function grown(folder: string, { quick }: RowOptions): Promise<Result> {
  await using core = await coreWith(folder, ["echo"]);
  await switchOn(core, "echo");
  const calls = quick ? 2_000 : 10_000;
  const call = () => core.call(agentId, "echo__echo", { text: "again" });
  for (let round = 0; round < 2_000; round += 1) await call();
  const before = usedBytes();
  for (let round = 0; round < calls; round += 1) await call();
  const value = (usedBytes() - before) / 1024 / 1024;
  return {
    row: "mcp-growth",
    what: `growth of the core over ${calls.toLocaleString("en")} calls of an MCP server's tool, memory in use`,
    value,
    unit: "MB",
    baseline: null,
    goal: "none (≤ 1 MB)",
    met: value <= 1,
  };
}

async function left(folder: string, { quick }: RowOptions): Promise<Result> {
  await using core = await coreWith(folder, ["echo"]);
  const rounds = quick ? 10 : 200;
  const times: number[] = [];
  let processes = 0;
  for (let round = 0; round < rounds; round += 1) {
    await switchOn(core, "echo");
    times.push(await timed(() => core.client.agentPlugins.set({ agentId, key: "echo", enabled: false })));
    processes += await processesOf(core.home);
  }
  return {
    row: "mcp-left",
    what: `MCP server started and stopped ${rounds} times: stop, p50`,
    value: median(times),
    unit: "ms",
    baseline: null,
    goal: "no process of it is left",
    met: processes === 0,
    notes: { processes },
  };
}

/** How many processes name this folder in their command line. */
async function processesOf(folder: string): Promise<number> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(folder)).length;
}

async function searched({ quick }: RowOptions): Promise<Result> {
  const entries = Array.from({ length: listed }, (_, at) => ({
    server: {
      name: `io.github.bench/server-${at}`,
      description: `Reads tickets of team ${at}.`,
      version: "1.0.0",
      remotes: [{ type: "streamable-http", url: `https://s${at}.example/mcp` }],
    },
    _meta: { "io.modelcontextprotocol.registry/official": { status: "active", isLatest: true } },
  }));
  const registry = await LocalRegistry.open(entries);
  await using core = await Core.open([]);
  try {
    await core.client.app.updateSettings({ mcpRegistry: registry.url });
    const search = (query: string) => core.client.catalog.search({ query, scope: "catalogues" });
    const all = await search("io.github.bench");
    if (all.entries.length < listed) throw new Error(`It lists only ${all.entries.length} servers.`);
    const times: number[] = [];
    for (let round = 0; round < (quick ? 3 : 20); round += 1)
      for (const query of ["s", "se", "server-4", "server-49", "tickets", "team 7"])
        times.push(await timed(() => search(query)));
    const value = percentile(times, 0.95);
    return {
      row: "mcp-search",
      what: `a key press in ${listed} servers of an MCP Registry, core alone, p95`,
      value,
      unit: "ms",
      baseline: null,
      goal: "≤ 16 ms",
      met: value <= 16,
      notes: { p50: median(times) },
    };
  } finally {
    await registry.close();
  }
}

/** Bytes that are in use after everything was collected that can be. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round += 1) collect();
  return process.memoryUsage().heapUsed;
}
