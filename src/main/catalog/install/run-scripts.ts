import { join } from "node:path";
import { fromProblem, PatchbayError } from "../../../contract/index.ts";
import { problemSchema } from "../../../contract/problem.ts";
import { hostEnvironment } from "../../platform/host-environment.ts";
import { installation } from "../../platform/node-platform.ts";
import type { Platform } from "../../platform/platform.ts";
import { Program } from "../../platform/program.ts";
import { publicJudge } from "../../platform/walls/network/public-judge.ts";
import type { Wall } from "../../platform/walls/wall.ts";
import type { NpmOptions } from "../fetch/protocol.ts";
import { scriptsOnly } from "../fetch/scripts-name.ts";
import type { Step } from "../job-run.ts";

interface ScriptsNeeds {
  platform: Pick<Platform, "bundleDir">;
  /** Patchbay's own folder, which they do not see. */
  root: string;
  options: NpmOptions;
}

/**
 * Runs the installation scripts of a package and of its dependencies behind a wall: they write in the package's folder and
 * a private home folder, and reach the public internet and the package's registry. Credentials of registries are kept from
 * them.
 *
 * @throws PatchbayError SCRIPT_FAILED
 */
export async function runScriptsOf(
  dir: string,
  { platform, root, options }: ScriptsNeeds,
  step: Step,
): Promise<void> {
  const { bundleDir } = platform;
  const input = { dir, options: { ...options, config: {} } };
  const program = new Program({
    file: process.execPath,
    args: [join(bundleDir, "fetch.js"), scriptsOnly, JSON.stringify(input)],
    cwd: dir,
    // The desktop app is its own Node, when it is told to be.
    env: { ...hostEnvironment(), ELECTRON_RUN_AS_NODE: "1" },
    input: false,
    wall: wallOfScripts(dir, bundleDir, root, options, step),
  });
  let last = "";
  const note = (chunk: Buffer) => {
    last = (last + chunk.toString("utf8")).slice(-8_000);
  };
  program.stdout.on("data", note);
  program.stderr.on("data", note);
  const stop = () => program.signal("SIGKILL");
  step.signal.addEventListener("abort", stop, { once: true });
  try {
    const { code, signal } = await program.ended;
    step.signal.throwIfAborted();
    if (code === 0) return;
    throw failureIn(last, signal ? `were ended by ${signal}` : `ended with exit code ${code}`);
  } finally {
    step.signal.removeEventListener("abort", stop);
  }
}

function wallOfScripts(dir: string, bundleDir: string, root: string, options: NpmOptions, step: Step): Wall {
  const { root: app } = installation();
  // From a checkout this code may run from its sources.
  const parts = ["out", "src", "node_modules", "package.json"].map((name) => join(app, name));
  return {
    read: [process.execPath, bundleDir, ...(app.endsWith(".asar") ? [app] : parts)],
    write: [dir],
    hidden: [root],
    programs: "any",
    network: publicJudge([new URL(options.registry)]),
    refused: ({ wall, target }) => step.log(`Refused (${wall}): an installation script wanted ${target}.`),
  };
}

function failureIn(output: string, how: string): PatchbayError {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  try {
    return fromProblem(problemSchema.parse(JSON.parse(line)));
  } catch {
    return new PatchbayError("SCRIPT_FAILED", `The installation scripts ${how}${line ? `: ${line}` : ""}.`);
  }
}
