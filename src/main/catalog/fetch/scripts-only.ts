import { runInstallScripts } from "./dependencies.ts";
import { problemOfFetchError } from "./fetch-errors.ts";
import type { FetchOperations } from "./protocol.ts";

/** What the process is told that runs scripts. */
export type ScriptsInput = FetchOperations["scripts"]["input"] & {
  /** Stands before the problem of a failure, so that no line of a script is taken for one. */
  mark: string;
};

/**
 * Runs the scripts of a package in a process of their own, behind a wall, and ends it. What they print is passed on; the
 * last line of a failure is its problem as JSON, behind the mark.
 */
export async function runScriptsOnly(input: string): Promise<void> {
  const { mark, ...given } = JSON.parse(input) as ScriptsInput;
  try {
    await runInstallScripts(given, (text) => console.log(text));
  } catch (error) {
    const problem = problemOfFetchError(error, { op: "scripts", ...given });
    process.stderr.write(`\n${mark}${JSON.stringify(problem)}\n`);
    process.exitCode = 1;
  }
}
