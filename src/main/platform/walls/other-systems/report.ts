import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { WallNote } from "../../../../contract/index.ts";
import { nothing, withGaps } from "../notes.ts";
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
const gapsOnMac: readonly WallNote[] = [
  { code: "macUntried" },
  { code: "macReadable" },
  { code: "macPrograms" },
  { code: "macServices" },
];

export function reportOn({ platform, library, nodeIsNew, missing, failed }: Found): WallReport {
  if (platform === "win32") return nothing({ code: "windows" }, null);
  if (platform !== "darwin" && platform !== "linux") return nothing({ code: "otherSystem" }, null);
  if (library === null)
    return nothing({ code: "libraryMissing", name: "@anthropic-ai/sandbox-runtime" }, { code: "reinstall" });
  if (!nodeIsNew) return nothing({ code: "nodeOld" }, { code: "ownNode" });
  if (missing.length > 0) return lacking(platform, missing);
  if (failed !== null) return nothing({ code: "failed", reason: failed }, { code: "lookAgain" });
  const maker = platform === "darwin" ? "sandbox-exec" : "bubblewrap";
  const stands = { ...nothingStands, stands: true, by: `${maker} (sandbox-runtime ${library})` };
  return withGaps(stands, platform === "darwin" ? gapsOnMac : [{ code: "linuxPrograms" }]);
}

function lacking(platform: "darwin" | "linux", missing: readonly string[]): WallReport {
  const problem: WallNote = { code: "toolsMissing", name: missing.join(" and ") };
  if (platform === "linux") return nothing(problem, null, `sudo apt-get install ${missing.join(" ")}`);
  return nothing(problem, { code: "outsideSandbox" });
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
