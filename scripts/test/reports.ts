/** What a suite's own reports say of its tests: how many there were, and the names of those that somebody has to look at. */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** A test by its name: `file › title`, and what its first failure said. */
export interface Named {
  name: string;
  error: string;
}

export interface Outcome {
  passed: number;
  skipped: number;
  failed: Named[];
  /** Counted as passed, after one failure. */
  second: Named[];
}

/** What vitest's JSON report leaves out: failures outside of tests. Written by `vitest-rest.ts`. */
export interface Rest {
  file: string;
  title: string;
  error: string;
}

interface VitestReport {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests?: number;
  testResults: {
    name: string;
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      failureMessages: string[];
    }[];
  }[];
}

/** @param rest the file that `vitest-rest.ts` has written in the same run */
export function readVitest(file: string, rest: string): Outcome {
  const report = read<VitestReport>(file);
  const others = read<Rest[]>(rest);
  if (!report || !others) return unwritten;
  const tests = report.testResults.flatMap((entry) =>
    entry.assertionResults.map((test) => ({
      status: test.status,
      // Failures of all tries are kept; those that passed at once have none.
      errors: test.failureMessages,
      name: [here(entry.name), ...test.ancestorTitles, test.title].filter(Boolean).join(" › "),
    })),
  );
  const named = (status: string) =>
    tests
      .filter((test) => test.status === status && (status === "failed" || test.errors.length > 0))
      .map(({ name, errors }) => ({ name, error: errors[0] ?? "" }));
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
    failed: [
      ...named("failed"),
      ...others.map(({ file, title, error }) => ({
        name: [file, title].filter(Boolean).join(" › "),
        error,
      })),
    ],
    second: named("passed"),
  };
}

interface Suite {
  suites?: Suite[];
  specs: {
    title: string;
    file: string;
    line: number;
    tests: {
      projectName: string;
      status: "expected" | "unexpected" | "flaky" | "skipped";
      results: { errors: { message?: string }[] }[];
    }[];
  }[];
}

interface PlaywrightReport {
  config: { rootDir: string };
  suites: Suite[];
  /** Failures outside of tests: a file that does not load, a server that does not start. */
  errors: { message?: string }[];
  stats: { expected: number; flaky: number; skipped: number };
}

export function readPlaywright(file: string): Outcome {
  const report = read<PlaywrightReport>(file);
  if (!report) return unwritten;
  const specsOf = (suite: Suite): Suite["specs"] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const specs = report.suites.flatMap(specsOf);
  const named = (status: string) =>
    specs.flatMap((spec) =>
      spec.tests
        .filter((test) => test.status === status)
        .map((test) => ({
          name: `${here(join(report.config.rootDir, spec.file))}:${spec.line} › ${spec.title} (${test.projectName})`,
          error: test.results.flatMap((result) => result.errors)[0]?.message ?? "",
        })),
    );
  const outside = report.errors.map(({ message = "" }) => ({ name: "outside of tests", error: message }));
  const { expected, flaky, skipped } = report.stats;
  return {
    passed: expected + flaky,
    skipped,
    failed: [...named("unexpected"), ...outside],
    second: named("flaky"),
  };
}

/**
 * Lines that name tests, with the first lines of what they said while there is room: who looks at the end of a long log
 * sees the last thirty lines or so.
 */
export function linesOf(tests: readonly Named[], most: number): string[] {
  const shown = tests.slice(0, most);
  const each = Math.min(2, Math.floor((most - shown.length) / shown.length));
  const lines = shown.flatMap(({ name, error }) => [
    `  ${cut(name)}`,
    ...firstLines(error, each).map((line) => `      ${cut(line)}`),
  ]);
  const more = tests.length - shown.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

function firstLines(error: string, most: number): string[] {
  return stripVTControlCharacters(error)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^at /.test(line))
    .slice(0, most);
}

/** A path as it stands in the repository, on every system. */
export const here = (path: string) => relative(process.cwd(), path).replaceAll("\\", "/");

const cut = (line: string) => (line.length > 200 ? `${line.slice(0, 199)}…` : line);

const unwritten: Outcome = {
  passed: 0,
  skipped: 0,
  failed: [{ name: "no report", error: "The suite ended before it had written one; its output says why." }],
  second: [],
};

function read<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
