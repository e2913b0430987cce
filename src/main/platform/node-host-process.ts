import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { ForkOptions, HostExit, HostProcess } from "./platform.ts";
import { reapGroup } from "./reaper.ts";

/** Milliseconds that output which is still in the pipes may take after the end. */
const LAST_OUTPUT_MS = 200;

/**
 * A host over `child_process.fork`. On POSIX it leads a process group of its own, so that what the plugin started dies
 * with it, also when it ends by itself.
 *
 * @param bundleDir folder with `<entry>.js`
 */
export function forkNodeHost(bundleDir: string, options: ForkOptions): HostProcess {
  const child = fork(join(bundleDir, `${options.entry}.js`), [], {
    cwd: options.cwd,
    env: options.env,
    execArgv: [`--max-old-space-size=${options.memoryMb}`, `--title=${options.name}`],
    // A structured clone of a small message takes about six times as long.
    serialization: "json",
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    windowsHide: true,
  });
  return new NodeHostProcess(child);
}

class NodeHostProcess implements HostProcess {
  readonly pid: number | undefined;
  readonly #child: ChildProcess;
  readonly #ended: Promise<HostExit>;
  #exited = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid;
    const release = child.pid === undefined ? () => {} : reapGroup(child.pid);
    this.#ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#killGroup();
        this.#exited = true;
        release();
        this.#drainOutput(() => resolve({ code, signal }));
      });
      // Without a listener a failed fork (no such folder, no memory) would end the app; an exit is reported instead.
      child.on("error", () => {
        if (child.pid === undefined) resolve({ code: null, signal: null });
      });
    });
  }

  post(message: unknown): void {
    if (!this.#child.connected) return;
    // The callback takes the EPIPE of a process that ends at this moment; its exit is what counts.
    this.#child.send(message as object, () => {});
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#child.on("message", listener);
  }

  onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void {
    this.#child.stdout?.on("data", (chunk: Buffer) => listener("stdout", chunk));
    this.#child.stderr?.on("data", (chunk: Buffer) => listener("stderr", chunk));
  }

  onExit(listener: (exit: HostExit) => void): void {
    void this.#ended.then(listener);
  }

  kill(): void {
    if (this.#exited) return;
    this.#killGroup();
    this.#child.kill("SIGKILL");
  }

  #drainOutput(done: () => void): void {
    const { stdout, stderr } = this.#child;
    const finish = () => {
      clearTimeout(limit);
      stdout?.destroy();
      stderr?.destroy();
      done();
    };
    const limit = setTimeout(finish, LAST_OUTPUT_MS);
    this.#child.once("close", finish);
  }

  #killGroup(): void {
    if (this.pid === undefined || process.platform === "win32") return;
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // Nothing of the group is left.
    }
  }
}
