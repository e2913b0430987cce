import { lstatSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { inOrder, isSame, type Mount } from "./mounts.ts";
import { bubblewrap, isolation } from "./probe.ts";
import { doorFolder, type Scratch } from "./scratch/scratch.ts";
import { everyProgram, libraries, namedPrograms } from "./view.ts";
import type { Wall } from "./wall.ts";
import type { Command } from "./walled.ts";

/** Bytes that a walled process can keep in its `/tmp`. */
const TEMPORARY_BYTES = 512 * 1024 * 1024;

/** Bytes of memory that its processes can share by name. */
const SHARED_BYTES = 64 * 1024 * 1024;

/** Hidden also from a process that may use all files: behind these are sockets of services that would do its bidding. */
const socketFolders = ["/run", "/var/run", "/sys", "/tmp/.X11-unix", "/tmp/.ICE-unix"];

export interface WrapOptions {
  /** Files of ours that the command cannot start without; they can be read. */
  needs: readonly string[];
  /** Number of the file descriptor that it inherits with the filter of system calls; null: there is none. */
  filter: number | null;
  /** Whether it gets the folder with the socket of the network door. */
  door: boolean;
}

/**
 * The command that runs another one behind a wall. Its view of the files is made from nothing: libraries, what the wall
 * names, an empty home folder, and a `/tmp` and `/proc` of its own. Without bubblewrap it is the command itself.
 */
export function wrapped(command: Command, wall: Wall, scratch: Scratch, more: WrapOptions): Command {
  const { file } = bubblewrap();
  if (file === null) return command;
  const variables = Object.entries(command.env);
  const loader = variables.filter(([name]) => isForLoader(name));
  const others = variables.filter(([name]) => !isForLoader(name));
  const args = [
    ...isolation,
    ...(more.filter === null ? [] : ["--seccomp", String(more.filter)]),
    ...(seesAll(wall) ? allFiles(wall) : fewFiles(command, wall, scratch)),
    // One can connect to a socket in a folder that cannot be changed.
    ...(more.door ? ["--dir", "/run", "--ro-bind", scratch.door, doorFolder] : []),
    ...named(wall, more, scratch),
    // For root, settings of the kernel are open files in there, also without any privilege.
    ...["--remount-ro", "/proc"],
    // What is written to the rest of the view would be in memory, without a limit.
    ...(seesAll(wall) ? [] : ["--remount-ro", "/", "--remount-ro", "/dev"]),
    ...loader.flatMap(([name, value]) => ["--setenv", name, value]),
    ...["--chdir", command.cwd, "--", command.file],
    ...command.args,
  ];
  return { file, args, cwd: dirname(scratch.folder), env: Object.fromEntries(others) };
}

/** Whether a variable changes what is loaded into a program. bubblewrap itself, which runs outside, must not get it. */
export function isForLoader(name: string): boolean {
  return /^(?:LD_|GLIBC_|GCONV_PATH$|MALLOC_)/.test(name);
}

function seesAll({ read, write }: Wall): boolean {
  return read.includes("/") || write.includes("/");
}

function allFiles({ write }: Wall): string[] {
  const hidden = socketFolders.filter(isFolder).flatMap((folder) => ["--tmpfs", folder]);
  return [
    write.includes("/") ? "--bind" : "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...hidden,
  ];
}

function fewFiles({ env }: Command, wall: Wall, scratch: Scratch): string[] {
  return [
    ...["--bind", scratch.home.folder, homedir()],
    // After the home folder: a search path can lead into that.
    ...system(wall, env.PATH ?? "/usr/bin:/bin"),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["--size", String(SHARED_BYTES), "--tmpfs", "/dev/shm"],
    ...["--size", String(TEMPORARY_BYTES), "--tmpfs", "/tmp"],
    ...["--ro-bind", scratch.passwd, "/etc/passwd", "--ro-bind", scratch.group, "/etc/group"],
    ...["--ro-bind", scratch.hosts, "/etc/hosts"],
  ];
}

function system({ programs }: Wall, path: string): string[] {
  if (programs === "none") return libraries();
  return programs === "any" ? everyProgram(path) : namedPrograms(programs.named, path);
}

/** What the wall names, and what the command needs. */
function named(
  { read, write, hidden, shown = [], programs }: Wall,
  { needs }: WrapOptions,
  scratch: Scratch,
): string[] {
  const bound = (access: "read" | "write", at: string, from = at): Mount => {
    const options = [access === "write" ? "--bind-try" : "--ro-bind-try", from, at];
    return { at, from, access, options, isOptional: true };
  };
  const empty = (at: string): Mount => {
    const bait = scratch.hidden.get(at);
    return { at, options: bait ? ["--bind", bait.folder, at] : ["--tmpfs", at] };
  };
  const mounts = [
    ...hidden.map(empty),
    ...read.map((at) => bound("read", at)),
    ...write.map((at) => bound("write", at)),
    ...shown.map(({ at, from, access }) => bound(access, at, from)),
    ...needs.map((at) => bound("read", at)),
  ].filter(({ at }) => at !== "/");
  const isOfSystem = ({ at, access }: Mount) =>
    programs === "any" && access === "read" && at.startsWith("/usr/") && isSame(at, "/usr");
  const rest = mounts.some(({ at, access }) => access !== "read" && at.startsWith("/usr"))
    ? mounts
    : mounts.filter((mount) => !isOfSystem(mount));
  return inOrder(rest).flatMap(({ options }) => options);
}

/** False for a link to one: what it leads to is hidden by its own name. */
function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
