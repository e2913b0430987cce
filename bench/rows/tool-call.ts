import { Core } from "../core/core.ts";
import { BareFork, McpEcho } from "../peers.ts";
import type { Result, Row } from "../row.ts";
import { interleaved, median, percentile } from "../stats.ts";

/** A tool call through the whole pipeline beside a bare round trip and the MCP SDK, in one run. */
export const toolCall: Row = {
  id: "tool-call",
  async run({ quick }) {
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
      quick ? 500 : 5000,
      quick ? 200 : 1000,
    );
    const p50 = {
      bare: median(samples.bare),
      mcp: median(samples.mcp),
      plain: median(samples.plain),
      guarded: median(samples.guarded),
    };
    const baseline = { what: "bare fork round trip, p50", value: p50.bare };
    const results: Result[] = [
      {
        row: "tool-call",
        what: "tool call, whole pipeline, native echo, p50",
        value: p50.plain,
        unit: "ms",
        baseline,
        goal: "≤ 1.5 × a bare fork",
        met: p50.plain <= 1.5 * p50.bare,
        notes: { p95: percentile(samples.plain, 0.95) },
      },
      {
        row: "tool-call-mcp",
        what: "the same, beside the MCP SDK",
        value: p50.plain,
        unit: "ms",
        baseline: { what: "official MCP SDK over stdio, p50", value: p50.mcp },
        goal: "faster",
        met: p50.plain < p50.mcp,
        notes: { p95: percentile(samples.plain, 0.95), mcpP95: percentile(samples.mcp, 0.95) },
      },
      {
        row: "tool-call-veto",
        what: "tool call with one veto hook in another host, p50",
        value: p50.guarded,
        unit: "ms",
        baseline,
        goal: "≤ 2.5 × a bare fork",
        met: p50.guarded <= 2.5 * p50.bare,
        notes: { p95: percentile(samples.guarded, 0.95) },
      },
    ];
    return results;
  },
};
