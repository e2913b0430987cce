import { Core } from "../core/core.ts";
import { BareFork, McpEcho } from "../peers.ts";
import type { Result, Row } from "../row.ts";
import { interleaved, median, percentile } from "../stats.ts";

/**
 * How many times everything is started afresh. A process keeps the processor on which the scheduler put it, and that
 * decides a third of a round trip's time, so one start proves nothing.
 */
const TRIALS = 11;

interface Trial {
  bare: number;
  mcp: number;
  plain: number;
  guarded: number;
  plainP95: number;
  mcpP95: number;
  guardedP95: number;
}

/** A tool call through the whole pipeline, compared with a bare round trip and the MCP SDK in the same run. */
export const toolCall: Row = {
  id: "tool-call",
  async run({ quick, log }) {
    const trials: Trial[] = [];
    for (let index = 1; index <= (quick ? 1 : TRIALS); index += 1) {
      log(`tool-call: trial ${index}`);
      trials.push(await trial(quick));
    }
    const plain = typical(trials, (one) => one.plain / one.bare);
    const beside = typical(trials, (one) => one.plain / one.mcp);
    const guarded = typical(trials, (one) => one.guarded / one.bare);
    const bareFork = (value: number) => ({ what: "bare fork round trip, p50", value });
    const results: Result[] = [
      {
        row: "tool-call",
        what: "tool call, whole pipeline, native echo, p50",
        value: plain.of.plain,
        unit: "ms",
        baseline: bareFork(plain.of.bare),
        goal: "≤ 1.3 × a bare fork",
        met: plain.ratio <= 1.3,
        notes: { p95: plain.of.plainP95, ratios: plain.all },
      },
      {
        row: "tool-call-mcp",
        what: "the same, beside the MCP SDK",
        value: beside.of.plain,
        unit: "ms",
        baseline: { what: "official MCP SDK over stdio, p50", value: beside.of.mcp },
        goal: "faster",
        met: beside.ratio < 1,
        notes: { p95: beside.of.plainP95, mcpP95: beside.of.mcpP95, ratios: beside.all },
      },
      {
        row: "tool-call-veto",
        what: "tool call with one veto hook in another host, p50",
        value: guarded.of.guarded,
        unit: "ms",
        baseline: bareFork(guarded.of.bare),
        goal: "≤ 2.4 × a bare fork",
        met: guarded.ratio <= 2.4,
        notes: { p95: guarded.of.guardedP95, ratios: guarded.all },
      },
    ];
    return results;
  },
};

async function trial(quick: boolean): Promise<Trial> {
  await using core = await Core.open(["bench-echo", "bench-veto"]);
  await core.agent("plain", ["bench-echo"]);
  await core.agent("guarded", ["bench-echo", "bench-veto"]);
  await using bare = await BareFork.start();
  await using mcp = await McpEcho.start();
  const text = "the quick brown fox jumps over the lazy dog";
  const samples = await interleaved(
    {
      bare: () => bare.call({ id: 1, text }),
      mcp: () => mcp.call(text),
      plain: () => core.call("plain", "bench__echo", { text }),
      guarded: () => core.call("guarded", "bench__echo", { text }),
    },
    quick ? 500 : 2000,
    quick ? 200 : 500,
  );
  return {
    bare: median(samples.bare),
    mcp: median(samples.mcp),
    plain: median(samples.plain),
    guarded: median(samples.guarded),
    plainP95: percentile(samples.plain, 0.95),
    mcpP95: percentile(samples.mcp, 0.95),
    guardedP95: percentile(samples.guarded, 0.95),
  };
}

/** The trial whose ratio is the median of all, and all ratios, lowest first. */
function typical(trials: readonly Trial[], ratioOf: (one: Trial) => number) {
  const sorted = [...trials].sort((a, b) => ratioOf(a) - ratioOf(b));
  const of = sorted[Math.floor(sorted.length / 2)];
  if (!of) throw new Error("There are no trials.");
  return { of, ratio: ratioOf(of), all: sorted.map((one) => ratioOf(one).toFixed(2)).join(" ") };
}
