import { type ChildProcess, spawn } from "node:child_process";
import type { HostExit } from "./platform.ts";
import { reapGroup } from "./reaper.ts";

/** Milliseconds that output which is still in the pipes may take once the program has ended. */
const LAST_OUTPUT_MS = 300;
/** How often output that still comes puts off the end. */
const MOST_ROUNDS = 10;
const windows = process.platform === "win32";

export interface ProgramOptions {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /** Whether something will be written to it. */
  input: boolean;
  /** The arguments are a command line of Windows' shell, and quoted already. */
  batch?: true;
}

/**
 * A program that is run once, to its end, in a process group of its own. When it has ended, nothing of its group is left; when
 * the app dies, the reaper ends it. What lives on and is spoken with is a host, see `spawnHost`.
 */
export class Program {
  readonly stdin: ChildProcess["stdin"];
  readonly stdout: NonNullable<ChildProcess["stdout"]>;
  readonly stderr: NonNullable<ChildProcess["stderr"]>;
  readonly pid: number | undefined;
  /** Resolves when it has ended, its output has been read and its group is gone; rejects when it did not start. */
  readonly ended: Promise<HostExit>;
  #gone = false;

  constructor(options: ProgramOptions) {
    const child = spawn(options.file, options.args, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.input ? "pipe" : "ignore", "pipe", "pipe"],
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: options.batch,
    });
    this.pid = child.pid;
    this.stdin = child.stdin;
    this.stdout = child.stdout as NonNullable<ChildProcess["stdout"]>;
    this.stderr = child.stderr as NonNullable<ChildProcess["stderr"]>;
    // A program that has closed its input is not a failure of ours; how it ends is what counts.
    child.stdin?.on("error", () => {});
    this.ended = this.#watch(child);
    // Whoever waits for it is told; a run that was given up has nobody waiting.
    this.ended.catch(() => {});
  }

  /** One line to its input. */
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
    signalGroup(this.pid, name);
  }

  #watch(child: ChildProcess): Promise<HostExit> {
    const release = child.pid === undefined ? () => {} : reapGroup(child.pid);
    return new Promise((resolve, reject) => {
      let exit: HostExit = { code: null, signal: null };
      let limit: NodeJS.Timeout | undefined;
      const finish = () => {
        clearTimeout(limit);
        if (this.#gone) return;
        if (child.pid !== undefined && !windows) signalGroup(child.pid, "SIGKILL");
        this.#gone = true;
        release();
        this.stdin?.destroy();
        this.stdout.destroy();
        this.stderr.destroy();
        resolve(exit);
      };
      child.once("error", (error) => {
        if (child.pid !== undefined) return;
        this.#gone = true;
        reject(error);
      });
      child.once("exit", (code, signal) => {
        exit = { code, signal };
        // Something that it left running may hold the pipes open for ever.
        limit = setTimeout(() => finishWhenQuiet(0), LAST_OUTPUT_MS);
      });
      // A busy machine may be late with reading what is there: as long as something comes, it is waited for.
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

/** Usually nothing of the group is left, and an error with its stack costs more than the question. */
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
