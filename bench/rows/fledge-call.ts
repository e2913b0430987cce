import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../../src/main/platform/program.ts";
import { Scratch } from "../../src/main/platform/walls/scratch/scratch.ts";
import type { Wall } from "../../src/main/platform/walls/wall.ts";
import { Core } from "../core/core.ts";
import { root } from "../core/paths.ts";
import type { Result, Row } from "../row.ts";
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

/** The wall of the same program, made as the plugin's instance makes it: a call starts a process in it. */
const wall: Wall = {
  read: [join(root, "bench/plugins/bench-fledge")],
  write: [],
  hidden: [join(tmpdir(), "patchbay-bench-home")],
  programs: { named: [program] },
  network: { decide: async () => ({ allowed: true }) },
};

/**
 * A fledge command through the whole pipeline, compared with the same program behind a wall of the same kind that gets
 * the same line and whose output is read to the end; and what that wall costs beside a bare spawn. Each sandbox is made
 * and removed by the kernel, which is most of its time.
 */
export const fledgeCall: Row = {
  id: "fledge-call",
  async run({ quick }) {
    await using core = await Core.open(["bench-fledge"]);
    await core.agent("plain", []);
    await core.client.agentPlugins.set({ agentId: "plain", key: "fledge-bench", enabled: true });
    await core.client.tools.list({ agentId: "plain" });
    const scratch = new Scratch(wall);
    const samples = await interleaved(
      {
        bare: bareSpawn,
        walled: () => walledSpawn(scratch),
        fledge: () => core.call("plain", "fledge_bench__echo", {}),
      },
      quick ? 100 : 1000,
      quick ? 20 : 100,
    );
    scratch.remove();
    const [bare, walled, value] = [median(samples.bare), median(samples.walled), median(samples.fledge)];
    const results: Result[] = [
      {
        row: "fledge-call",
        what: "fledge call, whole pipeline, p50",
        value,
        unit: "ms",
        baseline: { what: "the same program behind its wall, p50", value: walled },
        goal: "≤ 1.15 × the walled program",
        met: value <= 1.15 * walled,
        notes: { p95: percentile(samples.fledge, 0.95), walledP95: percentile(samples.walled, 0.95) },
      },
      {
        row: "fledge-wall",
        what: "a program behind its wall until it has ended, p50",
        value: walled,
        unit: "ms",
        baseline: { what: "bare spawn of the same program, p50", value: bare },
        goal: "≤ 25 ms more",
        met: walled - bare <= 25,
        notes: { p95: percentile(samples.walled, 0.95), bareP95: percentile(samples.bare, 0.95) },
      },
    ];
    return results;
  },
};

async function walledSpawn(scratch: Scratch): Promise<string> {
  const run = new Program({
    file: program,
    args: [],
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    input: true,
    wall,
    scratch,
  });
  let text = "";
  run.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  run.stderr.resume();
  run.stdin?.end(init);
  const { code } = await run.ended;
  if (code !== 0 || text === "") throw new Error("The program did not run behind its wall.");
  return text;
}

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
