import type { ChildProcess, SpawnOptions } from "node:child_process";
import { constants, homedir, tmpdir } from "node:os";
import type { HostExit } from "../platform.ts";
import { doorFolder, type Scratch } from "./scratch/scratch.ts";
import type { NetworkJudge } from "./wall.ts";

export interface Command {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

export interface WalledOptions {
  /**
   * How it reaches the network. `door`: it asks at a socket for each connection, as a host of ours does. `proxy`: programs
   * that know nothing of Patchbay find an HTTP proxy in their environment.
   */
  by: "door" | "proxy";
  /** One that outlives this process, for programs that are started often; absent: it gets its own. */
  scratch?: Scratch | undefined;
}

export interface WalledSpawn extends Pick<SpawnOptions, "detached" | "serialization" | "windowsHide"> {
  stdio: ("pipe" | "ignore" | "ipc")[];
  /** Files that the command cannot start without; it can read them. */
  needs?: readonly string[];
}

/** What belongs to one process behind a wall, from before its start until after its end. */
export interface Walled {
  /** Whether the system walls it off. */
  readonly stands: boolean;
  /** The process behind the wall, by its id on this machine; undefined until it is there. */
  readonly inside: number | undefined;
  /** Folders that it can change and that are nobody else's, as paths behind the wall. Known before it is started. */
  readonly ownFolders: readonly string[];
  /** Starts it behind the wall; where no wall stands it is started as it is. To be called once. */
  spawn(command: Command, options: WalledSpawn): ChildProcess;
  /** Sends a signal to what runs behind the wall. */
  signal(name: NodeJS.Signals): void;
  /** The system's error when the program could not be started behind the wall; null when it was. */
  failedStart(exit: HostExit): NodeJS.ErrnoException | null;
  /** How the program itself ended, where what walls it tells that in a way of its own. */
  exitOf(exit: HostExit): HostExit;
  /**
   * Looks for a last time, and removes what was made for it. To be called when the process is gone. Resolves when everything
   * was told that it tried.
   */
  end(): Promise<void>;
}

/** Those of a process with a home folder and a `/tmp` in the place of the real ones, or with the real ones where no wall stands. */
export function usualFolders(): string[] {
  return [homedir(), tmpdir(), "/tmp", doorFolder];
}

/** Milliseconds between two looks at what a wall keeps watch over. */
export const LOOK_MS = 500;

/** Decides where no network was granted. */
export const nobody: NetworkJudge = {
  decide: async () => ({ allowed: false, why: "There is no network here." }),
};

/** @param targets processes, or groups of them by their negative number; what has ended is passed over */
export function signalAll(targets: Iterable<number>, name: NodeJS.Signals): void {
  for (const pid of targets) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}

/** How a program ended of which a sandbox told by an exit code of 128 and more, as shells do, that a signal ended it. */
export function bySignal(exit: HostExit): HostExit {
  const number = exit.code === null ? 0 : exit.code - 128;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return signal === undefined ? exit : { ...exit, code: null, signal };
}

/** Environment variable with the path of the socket at which a walled process asks for a way to the network. */
export const doorVariable = "PATCHBAY_DOOR";

/** What the person's own settings say about proxies and which places need none counts before ours. */
export function ownProxySettings(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^no_proxy$/i.test(name)));
}

/** How the system's C library words what keeps a program from being started. */
export const startErrors = {
  ENOENT: "No such file or directory",
  EACCES: "Permission denied",
  ENOEXEC: "Exec format error",
  ENOTDIR: "Not a directory",
  E2BIG: "Argument list too long",
};
