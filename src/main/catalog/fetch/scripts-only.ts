import { runInstallScripts } from "./dependencies.ts";
import { problemOfFetchError } from "./fetch-errors.ts";
import type { FetchOperations } from "./protocol.ts";

/**
 * Runs the scripts of a package in a process of their own, behind a wall, and ends it. What they print is passed on; the
 * last line of a failure is its problem as JSON.
 */
export async function runScriptsOnly(input: string): Promise<void> {
  const given = JSON.parse(input) as FetchOperations["scripts"]["input"];
  try {
    await runInstallScripts(given, (text) => console.log(text));
  } catch (error) {
    const problem = problemOfFetchError(error, { op: "scripts", ...given });
    process.stderr.write(`\n${JSON.stringify(problem)}\n`);
    process.exitCode = 1;
  }
}
