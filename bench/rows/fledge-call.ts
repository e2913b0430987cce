import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Core } from "../core/core.ts";
import { root } from "../core/paths.ts";
import type { Row } from "../row.ts";
import { interleaved, median, percentile } from "../stats.ts";

const program = join(root, "bench/plugins/bench-fledge/echo");

/**
 * The first line that the program gets. It must be as long as the line that Patchbay writes, because the shell's `read`
 * makes one system call per character and the length changes the time.
 */
const init = `${JSON.stringify({
  type: "init",
  protocol: "fledge-v1",
  command: "echo",
  args: [],
  project: {
    name: "workspace",
    root: join(tmpdir(), "patchbay-bench-000000", "agents", "plain", "workspace"),
    language: "generic",
    git: null,
  },
  plugin: { name: "bench", version: "1.0.0", dir: join(root, "bench/plugins/bench-fledge") },
  fledge: { version: "0.1.0" },
  capabilities: { exec: false, store: false, metadata: false },
})}\n`;

/**
 * A fledge command through the whole pipeline, compared with a bare spawn of the same program that gets the same line
 * and whose output is read to the end.
 */
export const fledgeCall: Row = {
  id: "fledge-call",
  async run({ quick }) {
    await using core = await Core.open(["bench-fledge"]);
    await core.agent("plain", []);
    await core.client.agentPlugins.set({ agentId: "plain", key: "fledge-bench", enabled: true });
    await core.client.tools.list({ agentId: "plain" });
    const samples = await interleaved(
      {
        bare: bareSpawn,
        fledge: () => core.call("plain", "fledge_bench__echo", {}),
      },
      quick ? 100 : 1000,
      quick ? 20 : 100,
    );
    const bare = median(samples.bare);
    const value = median(samples.fledge);
    return [
      {
        row: "fledge-call",
        what: "fledge call, whole pipeline, p50",
        value,
        unit: "ms",
        baseline: { what: "bare spawn of the same program, p50", value: bare },
        goal: "≤ 1.15 × a bare spawn",
        met: value <= 1.15 * bare,
        notes: { p95: percentile(samples.fledge, 0.95), bareP95: percentile(samples.bare, 0.95) },
      },
    ];
  },
};

function bareSpawn(): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [], { stdio: ["pipe", "pipe", "pipe"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
    });
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", () => resolve(text));
    child.stdin.end(init);
  });
}
