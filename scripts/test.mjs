/**
 * `npm test`: gets what the suites need, builds, checks, runs every suite, names every test that failed, and closes with
 * one line that counts them all. A failing step does not stop the later ones. `npm test -- unit e2e` runs the named steps
 * only. The checks run beside the unit and renderer tests, which use one processor; what they print follows when they end.
 *
 * A shared machine may stall for seconds, and tests with real processes and browsers notice. Such a test is run once more
 * when it has failed; those that passed only then are counted and named. Vitest and Playwright started by hand try once.
 */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { linesOf, readPlaywright, readVitest } from "./test/reports.ts";
import { prepare } from "./test-needs.mjs";

const results = "test-results";
const vitest = (project, ...options) => ({
  command: [
    "vitest",
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--reporter=${join(import.meta.dirname, "test", "vitest-rest.ts")}`,
    `--outputFile.json=${results}/${project}.json`,
    ...options,
  ],
  env: { PATCHBAY_TEST_REST: `${results}/${project}-rest.json` },
  read: () => readVitest(`${results}/${project}.json`, `${results}/${project}-rest.json`),
});
const check = (...command) => ({ command });

const steps = {
  build: check("npm", "run", "--silent", "build"),
  types: check("npm", "run", "--silent", "typecheck"),
  lint: check("npm", "run", "--silent", "lint"),
  walls: check("npm", "run", "--silent", "walls"),
  unused: check("npm", "run", "--silent", "unused"),
  docs: { ...check("npm", "run", "--silent", "cli-docs", "--", "--check"), env: { NODE_COMPILE_CACHE: "" } },
  unit: vitest("unit"),
  renderer: vitest("renderer"),
  integration: vitest("integration", "--retry=1"),
  e2e: {
    command: ["playwright", "test", "--retries=1"],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: `${results}/e2e.json` },
    read: () => readPlaywright(`${results}/e2e.json`),
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}. The steps are: ${Object.keys(steps).join(", ")}.`);
  process.exit(2);
}

/** Steps that may run beside each other: lanes, each of which runs its steps in this order. */
const rounds = [
  [["build"]],
  [
    ["unit", "renderer"],
    ["types", "lint", "walls", "unused", "docs"],
  ],
  [["integration"]],
  [["e2e"]],
];

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const needs = await prepare();
/**
 * Node keeps here what it has compiled of the tools and suites, whose processes are many and of the same few files. Patchbay takes no
 * such folder from its environment and has one of its own (`bin/patchbay`), so those who start it take the variable out:
 * `test/support/own-environment.ts`, `playwright.config.ts`, and the step `docs` here.
 */
const compiled = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "node_modules", ".cache", "compiled"),
};

const total = { passed: 0, skipped: 0 };
const failed = [];
const second = [];
const summary = {};
for (const lanes of rounds) {
  await Promise.all(lanes.map((names, lane) => runLane(names, lane > 0)));
  if (summary.build?.startsWith("FAILED")) break;
}

const lines = Object.keys(steps).flatMap((name) => summary[name] ?? []);
console.log(`\n${lines.join("\n")}\n`);
if (total.skipped > 0) console.log(`${total.skipped} skipped, each for the reason it gives above`);
if (second.length > 0) {
  console.log(`${second.length} passed only the second time:`);
  console.log(linesOf(second, failed.length > 0 ? 5 : 15).join("\n"));
}
if (failed.length > 0) console.log(`${failed.length} failed:\n${linesOf(failed, 25).join("\n")}`);
console.log(`${total.passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @param held whether their output is shown when a step has ended, and not while it runs */
async function runLane(names, held) {
  for (const name of names) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await runStep(name, steps[name], held);
  }
}

async function runStep(name, step, held) {
  const title = `\n── ${name} ${"─".repeat(Math.max(0, 70 - name.length))}`;
  if (!held) console.log(title);
  const started = performance.now();
  const { code, output } = await run(step.command, { ...compiled, ...needs.env, ...step.env }, held);
  if (held) console.log(`${title}\n${output}`.trimEnd());
  const outcome = step.read?.() ?? { passed: code === 0 ? 1 : 0, skipped: 0, failed: [], second: [] };
  // A suite with a bad exit code and no failed test (it crashed, or found no tests) still counts as failed.
  if (outcome.failed.length === 0 && (code !== 0 || outcome.passed === 0))
    outcome.failed.push({ name: `ended with code ${code}`, error: "Its output above says why." });
  const inStep = (test) => ({ ...test, name: `${name} › ${test.name}` });
  failed.push(...outcome.failed.map(inStep));
  second.push(...outcome.second.map(inStep));
  total.passed += outcome.passed;
  total.skipped += outcome.skipped;
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  summary[name] =
    `${outcome.failed.length === 0 ? "ok    " : "FAILED"} ${name.padEnd(12)} ${outcome.passed} passed, ` +
    `${outcome.failed.length} failed, ${outcome.skipped} skipped (${seconds} s)`;
}

/** Runs a command to its end. `output` is what it printed if that was held back. */
function run([command, ...args], env, held) {
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(command, args, {
      stdio: held ? ["ignore", "pipe", "pipe"] : "inherit",
      env: { ...process.env, ...env },
      shell: process.platform === "win32",
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve({ code: 1, output });
    });
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
