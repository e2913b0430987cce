import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { WallNote } from "../../../contract/index.ts";
import { nothing } from "./notes.ts";
import { nothingStands, type WallReport } from "./wall.ts";

/** Where bubblewrap is, and whether it works here. */
export interface Bubblewrap {
  /** Absolute path; null when it cannot be used. */
  file: string | null;
  report: WallReport;
}

let found: Bubblewrap | undefined;

/** Looks for bubblewrap and tries it, once in the life of this process: it takes about 20 ms. */
export function bubblewrap(): Bubblewrap {
  found ??= probe();
  return found;
}

/** Looks again at the next question: the person may have installed it. */
export function forgetBubblewrap(): void {
  found = undefined;
}

function probe(): Bubblewrap {
  const file = inPath("bwrap");
  if (file === null) {
    const command = installCommand();
    const help: WallNote = command ? { code: "install", name: command } : { code: "installBubblewrap" };
    return { file: null, report: nothing({ code: "bubblewrapMissing" }, help, command) };
  }
  const version = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 5_000 });
  const name = (version.stdout ?? "").trim() || "bubblewrap";
  const trial = spawnSync(
    file,
    [...isolation, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", "/bin/sh", "-c", ":"],
    { encoding: "utf8", timeout: 5_000 },
  );
  if (trial.status === 0)
    return { file, report: { ...nothingStands, stands: true, by: name, limitsPrograms: true } };
  const said = (trial.stderr || trial.error?.message || "").trim().split("\n")[0] ?? "";
  return { file: null, report: nothing({ code: "bubblewrapRefused", name, reason: said }, whatForbids()) };
}

/**
 * Options of every sandbox: namespaces of its own for users, processes, network, IPC and host name, no privileges, no way
 * to make further namespaces, and an end with the process that started it.
 */
export const isolation = [
  "--unshare-all",
  "--unshare-user",
  "--disable-userns",
  "--cap-drop",
  "ALL",
  "--die-with-parent",
  "--new-session",
  "--hostname",
  "patchbay",
] as const;

function inPath(name: string): string | null {
  for (const folder of [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]) {
    if (folder === "") continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not there.
    }
  }
  return null;
}

/** Null where the package manager is not a known one. */
function installCommand(): string | null {
  const commands: [marker: string, command: string][] = [
    ["/usr/bin/apt-get", "sudo apt-get install bubblewrap"],
    ["/usr/bin/dnf", "sudo dnf install bubblewrap"],
    ["/usr/bin/pacman", "sudo pacman -S bubblewrap"],
    ["/usr/bin/zypper", "sudo zypper install bubblewrap"],
    ["/sbin/apk", "sudo apk add bubblewrap"],
  ];
  return commands.find(([marker]) => existsSync(marker))?.[1] ?? null;
}

/** What forbids unprivileged user namespaces here, and what to do about it. */
function whatForbids(): WallNote {
  if (read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") === "1") return { code: "appArmor" };
  if (read("/proc/sys/kernel/unprivileged_userns_clone") === "0") return { code: "userNamespaces" };
  if (read("/proc/sys/user/max_user_namespaces") === "0") return { code: "moreNamespaces" };
  return { code: "container" };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
