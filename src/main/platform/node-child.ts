import type { ChildProcess } from "node:child_process";
import type { ChildHost, HostExit } from "./platform.ts";
import { killMarked, killTree } from "./process-tree.ts";
import { reapGroup } from "./reaper.ts";

/** Milliseconds after the end of the process in which output that is still in its pipes is read. */
const LAST_OUTPUT_MS = 200;

/**
 * True on POSIX: there each child leads a process group, so that what the child started can be killed with it, also
 * when the child has ended by itself.
 */
export const leadsGroup = process.platform !== "win32";

/** A child process from its start to the last byte of its output, with everything that it started. */
export class NodeChild implements ChildHost {
  protected readonly child: ChildProcess;
  readonly #ended: Promise<HostExit>;
  #exited = false;

  /**
   * @param mark value of the variable {@link hostMark} in the child's environment; descendants that left the process
   * group are found by it
   */
  constructor(child: ChildProcess, mark?: string) {
    this.child = child;
    const release = child.pid === undefined ? () => {} : reapGroup(child.pid);
    this.#ended = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        this.#killGroup();
        if (mark !== undefined) killMarked(mark);
        this.#exited = true;
        release();
        this.#drainOutput(() => resolve({ code, signal }));
      });
      // Without a listener a failed start (no such program, no memory) would end the app; an exit is reported instead.
      child.on("error", (error) => {
        if (child.pid === undefined) resolve({ code: null, signal: null, error: error.message });
      });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void {
    this.child.stdout?.on("data", (chunk: Buffer) => listener("stdout", chunk));
    this.child.stderr?.on("data", (chunk: Buffer) => listener("stderr", chunk));
  }

  onExit(listener: (exit: HostExit) => void): void {
    void this.#ended.then(listener);
  }

  kill(): void {
    const { pid } = this.child;
    if (this.#exited || pid === undefined) return;
    if (leadsGroup) this.#killGroup();
    else killTree(pid);
    this.child.kill("SIGKILL");
  }

  #drainOutput(done: () => void): void {
    const finish = () => {
      clearTimeout(limit);
      for (const stream of this.child.stdio) stream?.destroy();
      done();
    };
    const limit = setTimeout(finish, LAST_OUTPUT_MS);
    this.child.once("close", finish);
  }

  #killGroup(): void {
    const { pid } = this.child;
    if (pid === undefined || !leadsGroup) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // No process of the group is left.
    }
  }
}
