import { type ChildProcess, fork } from "node:child_process";
import { EventEmitter } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";

const parentPort = new URL("./parent-port.ts", import.meta.url).href;

interface UtilityOptions {
  cwd?: string;
  env?: Record<string, string>;
  execArgv?: string[];
}

/** Electron's `utilityProcess` as a fork with `process.parentPort`. */
class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;
  #exited = false;

  constructor(module: string, args: string[], options: UtilityOptions) {
    super();
    this.#child = fork(module, args, {
      cwd: options.cwd,
      env: options.env,
      execArgv: [...(options.execArgv ?? []), "--import", parentPort],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced",
    });
    this.#child.on("spawn", () => this.emit("spawn"));
    this.#child.on("message", (message) => this.emit("message", message));
    this.#child.on("error", () => {
      // A process that could not be started has no exit of its own.
      if (this.#child.pid === undefined) this.#end(1);
    });
    this.#child.on("exit", (code, signal) => this.#end(code ?? constants.signals[signal ?? "SIGKILL"]));
  }

  get pid(): number | undefined {
    return this.#exited ? undefined : this.#child.pid;
  }
  get stdout(): Readable | null {
    return this.#child.stdout;
  }
  get stderr(): Readable | null {
    return this.#child.stderr;
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => {});
  }

  kill(): boolean {
    return this.#child.kill();
  }

  #end(code: number): void {
    if (this.#exited) return;
    this.#exited = true;
    this.emit("exit", code);
  }
}

export const utilityProcess = {
  fork: (module: string, args: string[] = [], options: UtilityOptions = {}) =>
    new UtilityProcess(module, args, options),
};
