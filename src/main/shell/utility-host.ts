import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type UtilityProcess, utilityProcess } from "electron";
import { MemoryWatch } from "../platform/how-it-ended.ts";
import type { ForkOptions, HostExit, HostProcess } from "../platform/platform.ts";
import { hostMark, killMarked, killTree } from "../platform/process-tree.ts";

/** Starts a bundle entry in a utility process of Electron. Nothing of the app's environment reaches it. */
export function forkUtility(bundleDir: string, options: ForkOptions): HostProcess {
  const mark = randomUUID();
  const child = utilityProcess.fork(join(bundleDir, `${options.entry}.js`), [], {
    serviceName: options.name,
    cwd: options.cwd,
    env: { ...options.env, [hostMark]: mark },
    execArgv: [`--max-old-space-size=${options.memoryMb}`],
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new UtilityHost(child, mark, options.memoryMb);
}

class UtilityHost implements HostProcess {
  readonly #child: UtilityProcess;
  #exit: HostExit | undefined;
  #killed = false;

  constructor(child: UtilityProcess, mark: string, memoryMb: number) {
    const memory = new MemoryWatch();
    this.#child = child;
    child.stderr?.on("data", (chunk: Buffer) => memory.read(chunk));
    child.once("exit", (code) => {
      const exit = this.#killed ? { code: null, signal: "SIGKILL" } : { code, signal: null };
      this.#exit = memory.isFull ? { ...exit, memory: { limitMb: memoryMb } } : exit;
      killMarked(mark);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  post(message: unknown): void {
    if (!this.#exit) this.#child.postMessage(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#child.on("message", listener);
  }

  onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void {
    this.#child.stdout?.on("data", (chunk: Buffer) => listener("stdout", chunk));
    this.#child.stderr?.on("data", (chunk: Buffer) => listener("stderr", chunk));
  }

  onExit(listener: (exit: HostExit) => void): void {
    if (this.#exit) listener(this.#exit);
    else this.#child.once("exit", () => this.#exit && listener(this.#exit));
  }

  kill(): void {
    if (this.#exit || this.#killed) return;
    this.#killed = true;
    const { pid } = this.#child;
    if (pid !== undefined) killTree(pid);
    // Before the process has spawned there is no pid yet; Electron then ends it when it comes up.
    else this.#child.once("spawn", () => this.#child.kill());
  }
}
