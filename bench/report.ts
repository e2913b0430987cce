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

const begin = "<!-- measured: `npm run bench -- --markdown docs/performance.md` writes from here -->";
const end = "<!-- to here -->";

/**
 * `page` with this run in the place of the one that it holds; what people wrote around it stays.
 * @throws Error when the page does not mark that place
 */
export function withRun(page: string, run: Report): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`The page has no place for a run: a line ${begin} and a line ${end}.`);
  return `${page.slice(0, from)}${begin}\n\n${markdown(run)}\n\n${page.slice(to)}`;
}

function markdown({ rows, ...where }: Report): string {
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
