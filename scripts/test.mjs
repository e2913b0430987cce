/**
 * `npm test`: gets what the suites need, builds, checks, runs every suite, and closes with one line that counts them all.
 * A failing step does not stop the later ones. `npm test -- unit e2e` runs the named steps only.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { prepare } from "./test-needs.mjs";

const results = "test-results";
const vitest = (project) => ({
  command: [
    "vitest",
    "run",
    "--project",
    project,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results}/${project}.json`,
  ],
  count: () => countVitest(`${results}/${project}.json`),
});
const check = (...command) => ({ command });

const steps = {
  build: check("npm", "run", "--silent", "build"),
  types: check("npm", "run", "--silent", "typecheck"),
  lint: check("npm", "run", "--silent", "lint"),
  walls: check("npm", "run", "--silent", "walls"),
  unused: check("npm", "run", "--silent", "unused"),
  docs: check("npm", "run", "--silent", "cli-docs", "--", "--check"),
  unit: vitest("unit"),
  renderer: vitest("renderer"),
  integration: vitest("integration"),
  e2e: {
    command: ["playwright", "test"],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: `${results}/e2e.json` },
    count: () => countPlaywright(`${results}/e2e.json`),
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(", ")}. The steps are: ${Object.keys(steps).join(", ")}.`);
  process.exit(2);
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const needs = await prepare();

const total = { passed: 0, failed: 0, skipped: 0 };
const summary = [];
for (const [name, step] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n── ${name} ${"─".repeat(Math.max(0, 70 - name.length))}`);
  const started = performance.now();
  const code = await run(step.command, { ...needs.env, ...step.env });
  const counted = step.count?.() ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  // A suite with a bad exit code and no failed test (it crashed, or found no tests) still counts as failed.
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  if (step.count && code === 0 && counted.passed === 0) counted.failed = 1;
  for (const key of Object.keys(total)) total[key] += counted[key];
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  summary.push(
    `${counted.failed === 0 ? "ok    " : "FAILED"} ${name.padEnd(12)} ${counted.passed} passed, ${counted.failed} failed, ${counted.skipped} skipped (${seconds} s)`,
  );
  if (name === "build" && code !== 0) break;
}

console.log(`\n${summary.join("\n")}\n`);
if (total.skipped > 0) console.log(`${total.skipped} skipped, each for the reason it gives above`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

function run([command, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: "inherit",
      env: { ...process.env, ...env },
      shell: process.platform === "win32",
    });
    child.on("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

function countVitest(file) {
  const report = readJson(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  // A file that does not load counts as a failed suite without tests of its own.
  const brokenFiles = report.testResults.filter(
    (entry) => entry.status === "failed" && entry.assertionResults.length === 0,
  ).length;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

function countPlaywright(file) {
  const report = readJson(file);
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, flaky, unexpected, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected, skipped };
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
