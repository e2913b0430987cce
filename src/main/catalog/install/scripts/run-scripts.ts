import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { hostEnvironment } from "../../../platform/host-environment.ts";
import { installation } from "../../../platform/node-platform.ts";
import type { Platform } from "../../../platform/platform.ts";
import { Program } from "../../../platform/program.ts";
import { publicJudge } from "../../../platform/walls/network/public-judge.ts";
import type { Wall } from "../../../platform/walls/wall.ts";
import type { NpmOptions } from "../../fetch/protocol.ts";
import { scriptsOnly } from "../../fetch/scripts-name.ts";
import type { ScriptsInput } from "../../fetch/scripts-only.ts";
import type { Step } from "../../job-run.ts";
import type { AcquiredPackage } from "../../sources/acquisition.ts";
import type { Seal } from "../../sources/seal.ts";
import { ScriptOutput } from "./script-output.ts";

interface ScriptsNeeds {
  platform: Pick<Platform, "bundleDir">;
  /** Patchbay's own folder, which they do not see. */
  root: string;
  options: NpmOptions;
}

/** Runs the scripts of a package that was fetched, and holds it to what they left. @throws PatchbayError SCRIPT_FAILED */
export async function runPackageScripts(
  pack: AcquiredPackage,
  seal: Seal,
  needs: ScriptsNeeds,
  step: Step,
): Promise<void> {
  step.log(`Running the installation scripts of ${pack.wantScripts.join(", ")}`);
  await seal.lift(pack.artifact, step.signal, (dir) => runScriptsOf(dir, needs, step));
}

/**
 * Runs the installation scripts of a package and of its dependencies behind a wall: they write in the package's folder and
 * a private home folder, and reach the public internet and the package's registry. Credentials of registries are kept from
 * them. What they print goes into the job's log.
 *
 * @throws PatchbayError SCRIPT_FAILED
 */
async function runScriptsOf(
  dir: string,
  { platform, root, options }: ScriptsNeeds,
  step: Step,
): Promise<void> {
  const { bundleDir } = platform;
  const mark = `${randomUUID()} `;
  const input: ScriptsInput = { mark, dir, options: { ...options, config: {} } };
  const program = new Program({
    file: process.execPath,
    args: [join(bundleDir, "fetch.js"), scriptsOnly, JSON.stringify(input)],
    cwd: dir,
    // The desktop app is its own Node, when it is told to be.
    env: { ...hostEnvironment(), ELECTRON_RUN_AS_NODE: "1" },
    input: false,
    wall: wallOfScripts(dir, bundleDir, root, options, step),
  });
  const printed = new ScriptOutput(program, mark, (line) => step.log(line));
  const stop = () => program.signal("SIGKILL");
  step.signal.addEventListener("abort", stop, { once: true });
  try {
    const { code, signal } = await program.ended;
    printed.end();
    step.signal.throwIfAborted();
    if (code === 0) return;
    throw printed.failure(signal ? `were ended by ${signal}` : `ended with exit code ${code}`);
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
