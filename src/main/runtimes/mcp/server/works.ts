import semver from "semver";
import { PatchbayError } from "../../../../contract/index.ts";
import { hostEnvironment } from "../../../platform/host-environment.ts";
import { Program } from "../../../platform/program.ts";
import { foundIn } from "./command-line.ts";
import type { ServerFile } from "./server-file.ts";

const systems: Record<string, string | undefined> = {
  darwin: "macOS",
  linux: "Linux",
  win32: "Windows",
  freebsd: "FreeBSD",
};
const PATIENCE_MS = 5_000;

/** What of this machine a bundle may demand. */
export interface MachineFacts {
  platform: NodeJS.Platform;
  /** Version of the Node that runs servers. */
  node: string;
  /** Where programs are looked for. */
  path: string;
}

/**
 * Whether a server works on this machine, by its own word.
 *
 * @throws PatchbayError PLATFORM_UNSUPPORTED
 */
export async function checkWorks({ works, server }: ServerFile, machine: MachineFacts): Promise<void> {
  const { platforms, node, python } = works ?? {};
  if (platforms && platforms.length > 0 && !platforms.includes(machine.platform)) {
    const names = platforms.map((platform) => systems[platform] ?? platform);
    throw unsupported(`This bundle is for ${new Intl.ListFormat("en").format(names)} only.`);
  }
  if (node !== undefined && server.type === "node" && !isWithin(machine.node, node))
    throw unsupported(`This bundle needs Node ${spaced(node)}; Patchbay runs it with ${machine.node}.`);
  // uv brings the Python that it is told to.
  if (python === undefined || server.type !== "program" || !/^python[\d.]*$/.test(server.command)) return;
  const found = await pythonVersion(server.command, machine.path);
  if (found === null) throw unsupported(`This bundle needs Python ${spaced(python)}; none was found.`);
  if (!isWithin(found, python))
    throw unsupported(`This bundle needs Python ${spaced(python)}; found ${found}.`);
}

/** A range that cannot be read demands nothing. */
function isWithin(version: string, range: string): boolean {
  const exact = semver.coerce(version);
  const read = semver.validRange(range);
  return exact === null || read === null || semver.satisfies(exact, read);
}

const spaced = (range: string) => range.replace(/([<>=~^]+)\s*/g, "$1 ").trim();

async function pythonVersion(command: string, path: string): Promise<string | null> {
  const file = foundIn(command, path);
  if (file === null) return null;
  const asked = new Program({ file, args: ["--version"], cwd: "/", env: hostEnvironment(), input: false });
  let said = "";
  // The oldest ones say it on the other output.
  for (const output of [asked.stdout, asked.stderr])
    output.setEncoding("utf8").on("data", (piece: string) => {
      if (said.length < 1_000) said += piece;
    });
  asked.signalAfter(PATIENCE_MS, "SIGKILL");
  await asked.ended.catch(() => {});
  return /(\d+(?:\.\d+)+)/.exec(said)?.[1] ?? null;
}

function unsupported(message: string): PatchbayError {
  return new PatchbayError("PLATFORM_UNSUPPORTED", message);
}
