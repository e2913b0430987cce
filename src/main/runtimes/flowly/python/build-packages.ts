import { join } from "node:path";
import { PatchbayError } from "../../../../contract/index.ts";
import { hostEnvironment } from "../../../platform/host-environment.ts";
import { publicJudge } from "../../../platform/walls/network/public-judge.ts";
import { wallReport } from "../../../platform/walls/start.ts";
import type { Wall } from "../../../platform/walls/wall.ts";
import { type PipSettings, pipSettings } from "./pip-settings.ts";
import type { PythonForHosts } from "./pythons.ts";
import { requirementsFile } from "./requirements.ts";
import { type RanProgram, runProgram } from "./run-program.ts";

export interface PackagesNeeds {
  python: Pick<PythonForHosts, "file" | "read">;
  /** Folder of the plugin. Its requirements.txt is read when `requirements` is true. */
  dir: string;
  requirements: boolean;
  /** Further packages, by their names. */
  added: readonly string[];
  /** Folder for the virtual environment; made anew. */
  to: string;
  /** Patchbay's own folder, which pip and what it builds do not see. */
  root: string;
  env: NodeJS.ProcessEnv;
}

interface Told {
  signal: AbortSignal;
  log(text: string): void;
}

const windows = process.platform === "win32";

/** Folder with the packages of a virtual environment. @param version of Python, such as `3.11.7` */
export function sitePackages(dir: string, version: string): string {
  if (windows) return join(dir, "Lib", "site-packages");
  return join(dir, "lib", `python${minorOf(version)}`, "site-packages");
}

/** `3.11` of `3.11.7`. */
export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

/**
 * Makes a virtual environment and installs packages into it, behind a wall: nothing but its folder is written, and the
 * public internet and the person's own index are reached.
 * @throws PatchbayError SCRIPT_FAILED, PACKAGE_NOT_FOUND, REGISTRY_UNREACHABLE; the signal's reason
 */
export async function buildPackages(needs: PackagesNeeds, told: Told): Promise<void> {
  const { python, dir, requirements, added, to, env } = needs;
  const pip = await pipSettings(env);
  const stands = wallReport().stands;
  const wall = wallOfPip(needs, pip, told);
  const own = {
    ...hostEnvironment(env),
    ...pip.env,
    ...(!stands && proxiesOf(env, pip)),
    PYTHONNOUSERSITE: "1",
  };
  const run = async (file: string, args: readonly string[], failed: (ran: RanProgram) => PatchbayError) => {
    const ran = await runProgram({ file, args, cwd: dir, env: own, wall }, told).catch((error: unknown) => {
      told.signal.throwIfAborted();
      throw new PatchbayError("SCRIPT_FAILED", `${file} did not start: ${(error as Error).message}.`, {
        cause: error,
      });
    });
    if (ran.code !== 0) throw failed(ran);
  };
  told.log(`Making a virtual environment with ${python.file}`);
  const base = ["-E", "-s", "-m"];
  // Putting a pip of its own into it takes longer than everything else.
  const version = await runProgram(
    { file: python.file, args: [...base, "pip", "--version"], cwd: dir, env: own, wall },
    { ...told, log: () => {} },
  ).catch(() => null);
  const reaches = version?.code === 0 && isRecentPip(version.lines.join("\n"));
  await run(python.file, [...base, "venv", ...(reaches ? ["--without-pip"] : []), to], venvFailed);
  const what = [...(requirements ? ["-r", join(dir, requirementsFile)] : []), ...added];
  told.log(`pip install ${[...(requirements ? ["-r", requirementsFile] : []), ...added].join(" ")}`);
  const program = join(to, windows ? "Scripts/python.exe" : "bin/python");
  const options = ["--no-input", "--no-cache-dir", "--progress-bar", "off", "--disable-pip-version-check"];
  const install = ["install", ...options, "--prefer-binary", ...what];
  if (reaches) await run(python.file, [...base, "pip", "--python", program, ...install], pipFailed);
  else await run(program, ["-I", "-m", "pip", ...install], pipFailed);
}

/** Since 22.3 pip can install for another Python than the one that it runs with. */
function isRecentPip(said: string): boolean {
  const [, major = "0", minor = "0"] = /^pip (\d+)\.(\d+)/m.exec(said) ?? [];
  return Number(major) > 22 || (Number(major) === 22 && Number(minor) >= 3);
}

function wallOfPip({ python, dir, to, root }: PackagesNeeds, pip: PipSettings, { log }: Told): Wall {
  return {
    read: [...python.read, dir, ...pip.read],
    write: [to],
    hidden: [root],
    programs: "any",
    network: publicJudge(pip.indexes),
    refused: ({ wall, target }) => log(`Refused (${wall}): pip wanted ${target}.`),
  };
}

/** The person's own proxies. Behind a wall everything goes through Patchbay's. */
function proxiesOf(env: NodeJS.ProcessEnv, { proxy }: PipSettings): Record<string, string> {
  const names = Object.keys(env).filter((name) => /^(?:https?|no|all)_proxy$/i.test(name));
  const own = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return { ...Object.fromEntries(own), ...(proxy !== null && { PIP_PROXY: proxy }) };
}

function venvFailed({ lines }: RanProgram): PatchbayError {
  const lacksPip = lines.some((line) => line.includes("ensurepip"));
  const help =
    "Install what your system calls python3-venv, or choose another Python under Settings, Python.";
  return new PatchbayError("SCRIPT_FAILED", "This Python could not make a virtual environment.", {
    ...(lacksPip && { help }),
    details: { output: lines.join("\n") },
  });
}

function pipFailed({ lines, code, signal }: RanProgram): PatchbayError {
  const details = { output: lines.join("\n") };
  if (lines.some((line) => /connection broken|Could not fetch URL|Temporary failure in name/i.test(line)))
    return new PatchbayError("REGISTRY_UNREACHABLE", "The index of Python packages did not answer.", {
      help: "Check the network and the index that pip is set to, then try again.",
      details,
    });
  const missing = lines
    .map((line) => /No matching distribution found for (\S+)/.exec(line)?.[1])
    .find(Boolean);
  if (missing !== undefined)
    return new PatchbayError(
      "PACKAGE_NOT_FOUND",
      `The index of Python packages has no ${missing} that fits here.`,
      {
        help: "Its name may be another one, or this Python too old or too new for it.",
        details,
      },
    );
  const said = lines
    .findLast((line) => line.startsWith("ERROR:"))
    ?.slice("ERROR:".length)
    .trim();
  const how = signal ? `pip was ended by ${signal}` : `pip ended with exit code ${code}`;
  return new PatchbayError("SCRIPT_FAILED", `The Python packages were not installed: ${said ?? how}`, {
    details,
  });
}
