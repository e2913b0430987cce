import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import type { Result } from "./row.ts";

/** Where and when it was measured. */
export interface Circumstances {
  date: string;
  machine: string;
  processors: number;
  system: string;
  node: string;
  commit: string;
  /** The machine's load average over the last minute. */
  load: number;
  quick: boolean;
}

export function circumstances(quick: boolean): Circumstances {
  const processors = cpus();
  const model = processors[0]?.model.trim() || process.arch;
  return {
    date: new Date().toISOString(),
    machine: `${processors.length} × ${model}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    processors: processors.length,
    system: `${type()} ${release()}`,
    node: process.version,
    commit: commit(),
    load: loadavg()[0] ?? 0,
    quick,
  };
}

export interface Report extends Circumstances {
  rows: (Result & { ratio: number | null })[];
}

export function report(where: Circumstances, results: readonly Result[]): Report {
  const rows = results.map((result) => ({
    ...result,
    ratio: result.baseline ? result.value / result.baseline.value : null,
  }));
  return { ...where, rows };
}

/** The table of docs/performance.md. */
export function markdown({ rows, ...where }: Report): string {
  const lines = rows.map(({ what, value, unit, baseline, ratio, goal, met }) =>
    [
      what,
      `${shown(value)} ${unit}`,
      baseline ? `${shown(baseline.value)} ${unit} (${baseline.what})` : "–",
      ratio === null || unit === "MB" ? "–" : `${ratio.toFixed(2)} ×`,
      goal,
      met ? "yes" : "**no**",
    ].join(" | "),
  );
  return [
    "# Performance",
    "",
    "<!-- Written by `npm run bench -- --markdown docs/performance.md`. Change bench/report.ts, not this file. -->",
    "",
    `Measured on ${where.date.slice(0, 16).replace("T", " ")} UTC, at commit ${where.commit}.`,
    "",
    `- Machine: ${where.machine}; ${where.system}; Node ${where.node}`,
    `- Other work on it: load average ${where.load.toFixed(1)} on ${where.processors} processors before the run${where.load > where.processors / 2 ? "; it was not quiet, so a quiet run is still owed" : ""}.`,
    "- Each value and its baseline come from one run, taken turn by turn, after a warm-up. p50 is the median.",
    ...(where.quick ? ["- Measured with `--quick`: few samples, not for the record."] : []),
    "",
    "| what | measured | beside | ratio | goal | met |",
    "|------|----------|--------|-------|------|-----|",
    ...lines.map((line) => `| ${line} |`),
    "",
    "## What is what",
    "",
    "- **bare fork**: a process from plain `child_process.fork` that sends back what it gets (`bench/children/fork-echo.cjs`).",
    "- **MCP SDK**: the official `@modelcontextprotocol/sdk`, client and server, the same echo tool over stdio",
    "  (`bench/children/mcp-echo.ts`).",
    "- **bare spawn**: `child_process.spawn` of the same program, given the same line and read to its end.",
    "- **whole pipeline**: the call goes through the contract's own procedure: find, policy, hooks, validation, approval",
    "  policy, execution in the plugin's process, trace and audit. The core is the one that the shells run, bundled.",
    "- **memory in use**: what a garbage collection leaves of the host's heap and of what hangs on it; a leak of one small object",
    "  a call is several times the goal. Resident memory, which the notes of `--json` give beside a bare fork's, also grows while",
    "  a heap finds its size.",
    "- **first paint**: from the navigation to the first contentful paint, as Chromium notes it. That is the empty frame",
    "  that the page brings along; the row below it is the first frame that holds home itself.",
    "- **key press**: the longest piece of work of the page's main thread that a key press causes, drawing included; pieces are",
    "  what the next key press would wait for.",
    "- **home under updates**: the real core, gateway and screens; the rows are changed through the core's own event stream,",
    "  since five hundred plugin processes would measure the machine.",
    "- **start**: from the first line of the process's own code, loading the core included, until the gateway has answered a request.",
    "",
    "## Repeat it",
    "",
    "```sh",
    "npm run build",
    "npm run bench                                    # the table; about two minutes, on a machine with nothing else to do",
    "npm run bench -- --only tool-call                # one row: start, enable, tool-call, runtime-state, last-error,",
    "                                                 # memory, first-paint, discover-search, home-updates, matrix-scroll,",
    "                                                 # log-scroll, fledge-call, channel, idle-channel (needs ngircd)",
    "npm run bench -- --quick                         # few samples, to see whether it works",
    "npm run --silent bench -- --json                 # one JSON document on stdout",
    "npm run bench -- --markdown docs/performance.md  # writes this page",
    "```",
    "",
    "Nothing else should run meanwhile. The ratios are what to compare between machines, not the milliseconds.",
    "",
  ].join("\n");
}

/** The table for a terminal. */
export function plain({ rows, ...where }: Report): string {
  const lines = rows.map(({ row, value, unit, baseline, ratio, goal, met, notes }) => {
    const beside = baseline ? `beside ${shown(baseline.value)} ${unit} (${baseline.what})` : "";
    const times = ratio === null || unit === "MB" ? "" : `= ${ratio.toFixed(2)} ×`;
    const extra = Object.entries(notes ?? {})
      .map(([name, note]) => `${name} ${typeof note === "number" ? shown(note) : note}`)
      .join(", ");
    return [
      `${met ? "met   " : "MISSED"}  ${row.padEnd(15)} ${shown(value)} ${unit} ${beside} ${times}`.trimEnd(),
      `                        goal: ${goal}${extra ? `; ${extra}` : ""}`,
    ].join("\n");
  });
  const head = `${where.machine}; ${where.system}; Node ${where.node}; ${where.date}; ${where.commit}; load ${where.load.toFixed(1)}`;
  return [head, "", ...lines].join("\n");
}

function shown(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 1 ? value.toFixed(1) : value.toFixed(3);
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      cwd: import.meta.dirname,
    }).trim();
  } catch {
    return "unknown";
  }
}
