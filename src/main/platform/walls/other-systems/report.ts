import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { nothingStands, type WallReport } from "../wall.ts";
import { libraryVersion } from "./library.ts";

/** What a report on the walls of a system is made from. */
export interface Found {
  platform: NodeJS.Platform;
  /** Version of the library; null when it is not installed. */
  library: string | null;
  /** Whether this Node is one that the library runs in. */
  nodeIsNew: boolean;
  /** Programs that are not here, or that this system does not let make a sandbox. */
  missing: readonly string[];
  /** Why the wall did not hold when Patchbay tried it; null: it held, or was not tried yet. */
  failed: string | null;
}

/** What these walls leave open on macOS, by the rules that the library makes. */
const gapsOnMac = [
  "The authors of Patchbay have not tried this on macOS. Patchbay tries the wall itself before it starts the first plugin.",
  "Your home folder, other disks and Patchbay's own folder are closed; what belongs to the system and to all its users can be read.",
  "Which programs a plugin starts is not limited by the system, nor how much memory and how many processes it takes. What it starts is held like itself, and can go on after its plugin has ended.",
  "A plugin can list the processes of this computer (not signal them), and ask services of macOS such as the keychain, which decides by its own rules.",
];

const gapsOnLinux = [
  "These are the walls of other systems, tried on Linux: which programs a plugin starts is not limited.",
];

const onWindows =
  "No wall stands on Windows: the sandbox that Patchbay could use there gives one list of folders to all plugins together, and setting it up needs an administrator.";

export function reportOn({ platform, library, nodeIsNew, missing, failed }: Found): WallReport {
  if (platform === "win32") return { ...nothingStands, problem: onWindows };
  if (platform !== "darwin" && platform !== "linux")
    return { ...nothingStands, problem: "Patchbay has no walls for this operating system yet." };
  if (library === null)
    return {
      ...nothingStands,
      problem: "The part of Patchbay that makes walls is not installed (@anthropic-ai/sandbox-runtime).",
      help: "Install Patchbay again.",
    };
  if (!nodeIsNew)
    return {
      ...nothingStands,
      problem: "The walls need Node 22.12 or newer.",
      help: "Run Patchbay with its own Node.",
    };
  if (missing.length > 0) return { ...nothingStands, ...lacking(platform, missing) };
  if (failed !== null)
    return { ...nothingStands, problem: failed, help: "Look again when you have changed something." };
  const maker = platform === "darwin" ? "sandbox-exec" : "bubblewrap";
  return {
    ...nothingStands,
    stands: true,
    by: `${maker} (sandbox-runtime ${library})`,
    gaps: platform === "darwin" ? gapsOnMac : gapsOnLinux,
  };
}

function lacking(platform: "darwin" | "linux", missing: readonly string[]): Partial<WallReport> {
  const problem = `${missing.join(" and ")} cannot be used on this machine.`;
  if (platform === "linux")
    return { problem, help: null, command: `sudo apt-get install ${missing.join(" ")}` };
  return {
    problem,
    help: "It is part of macOS, and is refused to a program that runs in a sandbox itself: start Patchbay outside of one.",
  };
}

let looked: Omit<Found, "failed"> | undefined;
let failed: string | null = null;

/** Which of these walls stand here. Looks once, which takes some milliseconds. */
export function otherReport(): WallReport {
  looked ??= look();
  return reportOn({ ...looked, failed });
}

/** The wall did not hold, or could not be made: no plugin starts behind it until somebody looks again. */
export function wallFailed(why: string): void {
  failed = why;
}

export function forgetOther(): void {
  looked = undefined;
  failed = null;
}

function look(): Omit<Found, "failed"> {
  const { platform } = process;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return {
    platform,
    library: libraryVersion(),
    nodeIsNew: major > 22 || (major === 22 && minor >= 12),
    missing: platform === "darwin" ? missingOnMac() : platform === "linux" ? missingOnLinux() : [],
  };
}

function missingOnMac(): string[] {
  const trial = ["-p", "(version 1)(allow default)", "/usr/bin/true"];
  const works = spawnSync("/usr/bin/sandbox-exec", trial, { stdio: "ignore", timeout: 5_000 }).status === 0;
  return works ? [] : ["/usr/bin/sandbox-exec"];
}

function missingOnLinux(): string[] {
  const tools = { bubblewrap: "/usr/bin/bwrap", socat: "/usr/bin/socat" };
  return Object.entries(tools).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
}
