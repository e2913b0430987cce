import { type ChildProcess, spawn } from "node:child_process";
import { systemClock } from "../base/clock.ts";
import type { HostExit } from "./platform.ts";
import { reapGroup } from "./reaper.ts";
import type { Scratch } from "./walls/scratch/scratch.ts";
import { behindWall } from "./walls/start.ts";
import type { Wall } from "./walls/wall.ts";
import type { Walled } from "./walls/walled.ts";

/** Milliseconds after the end of the program in which output that is still in its pipes is read. */
const LAST_OUTPUT_MS = 300;
/** How many times the wait above is repeated because output still came. */
const MOST_ROUNDS = 10;
const windows = process.platform === "win32";

export interface ProgramOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /** Whether the program gets an input to be written to. */
  input: boolean;
  /** `args` are a command line for Windows' `cmd`, already quoted; Node must pass them on unchanged. */
  batch?: true;
  /** What keeps it from the rest of the machine; absent only for programs of ours. */
  wall?: Wall | undefined;
  /** For programs that are started often behind the same wall: made once, removed by whoever made it. */
  scratch?: Scratch | undefined;
}

/**
 * A program that is run once, to its end, in a process group of its own. When it has ended, the rest of its group is
 * killed; when the app dies, the reaper kills the group. A process that stays and exchanges messages is a host instead,
 * see `spawnHost`.
 */
export class Program {
  readonly stdin: ChildProcess["stdin"];
  readonly stdout: NonNullable<ChildProcess["stdout"]>;
  readonly stderr: NonNullable<ChildProcess["stderr"]>;
  readonly pid: number | undefined;
  /**
   * Resolves when the program has ended, its output was read and its group is gone; rejects with the system's error
   * when it could not be started.
   */
  readonly ended: Promise<HostExit>;
  readonly #walled: Walled | undefined;
  #gone = false;

  constructor(options: ProgramOptions) {
    this.#walled = options.wall && behindWall(options.wall, { by: "proxy", scratch: options.scratch });
    const child = this.#start(options);
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout as NonNullable<ChildProcess["stdout"]>;
    this.stderr = child.stderr as NonNullable<ChildProcess["stderr"]>;
    // A program may close its input before it has read everything (EPIPE). That is no failure: its exit code decides.
    child.stdin?.on("error", () => {});
    this.ended = this.#watch(child);
    // The caller of a run that was given up does not wait for `ended`; without this its rejection would be unhandled.
    this.ended.catch(() => {});
  }

  /** Writes one line to the program's input; `line` is without a line end. Does nothing when the input is closed. */
  write(line: string): void {
    if (this.stdin?.writable) this.stdin.write(line);
  }

  /** Sends a signal to the program and everything it started. */
  signal(name: NodeJS.Signals): void {
    if (this.#gone || this.pid === undefined) return;
    if (windows) {
      spawn("taskkill", ["/PID", String(this.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true })
        .on("error", () => {})
        .unref();
      return;
    }
    if (this.#walled?.stands && name !== "SIGKILL") this.#walled.signal(name);
    else signalGroup(this.pid, name);
  }

  /**
   * Sends a signal to the program and everything it started when it has not ended after `ms` milliseconds.
   *
   * @param late called right before
   */
  signalAfter(ms: number, name: NodeJS.Signals, late?: () => void): void {
    const cancel = systemClock.after(ms, () => {
      late?.();
      this.signal(name);
    });
    this.ended.then(cancel, cancel);
  }

  #start({ file, args, cwd, env, input, batch }: ProgramOptions): ChildProcess {
    const stdio = [input ? "pipe" : "ignore", "pipe", "pipe"] as ("pipe" | "ignore")[];
    const how = { detached: !windows, windowsHide: true, stdio };
    if (this.#walled?.stands) return this.#walled.spawn({ file, args, cwd, env }, how);
    return spawn(file, args, { ...how, cwd, env, windowsVerbatimArguments: batch });
  }

  #watch(child: ChildProcess): Promise<HostExit> {
    const release = child.pid === undefined ? () => {} : reapGroup(child.pid);
    return new Promise((resolve, reject) => {
      let exit: HostExit = { code: null, signal: null };
      let limit: NodeJS.Timeout | undefined;
      const finish = async () => {
        clearTimeout(limit);
        if (this.#gone) return;
        if (child.pid !== undefined && !windows) signalGroup(child.pid, "SIGKILL");
        this.#gone = true;
        release();
        this.stdin?.destroy();
        this.stdout.destroy();
        this.stderr.destroy();
        await this.#walled?.end();
        const failure = this.#walled?.failedStart(exit);
        if (failure) reject(failure);
        else resolve(this.#walled?.exitOf(exit) ?? exit);
      };
      child.once("error", (error) => {
        if (child.pid !== undefined) return;
        this.#gone = true;
        void this.#walled?.end();
        reject(error);
      });
      child.once("exit", (code, signal) => {
        exit = { code, signal };
        // A process that the program left running may hold the pipes open for ever, so "close" may never come.
        limit = setTimeout(() => finishWhenQuiet(0), LAST_OUTPUT_MS);
      });
      // On a busy machine output may be read late: as long as more bytes come, wait again.
      const finishWhenQuiet = (before: number, rounds = 0) => {
        const read = bytesRead(this.stdout) + bytesRead(this.stderr);
        if (read === before || rounds === MOST_ROUNDS) return finish();
        limit = setTimeout(() => finishWhenQuiet(read, rounds + 1), LAST_OUTPUT_MS / 3);
      };
      child.once("close", () => child.pid !== undefined && finish());
    });
  }
}

function bytesRead(stream: NodeJS.ReadableStream): number {
  return "bytesRead" in stream && typeof stream.bytesRead === "number" ? stream.bytesRead : 0;
}

/**
 * Sends a signal to a process group. Usually no process of it is left and `kill` throws; making that error's stack
 * would take longer than the signal, so stacks are switched off meanwhile.
 */
function signalGroup(leader: number, name: NodeJS.Signals): void {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    process.kill(-leader, name);
  } catch {
    // Nothing of the group is left.
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
