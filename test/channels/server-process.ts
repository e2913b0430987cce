import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A server in the foreground that says when it is ready. Ended with its `stop`. */
export class ServerProcess {
  readonly #child: ChildProcess;

  /**
   * Resolves when its output has a line that matches; rejects with the output when it ends before.
   *
   * @param more variables that it gets besides those of this process
   * @param user as whom it runs; absent: as this process
   */
  static async start(
    command: string,
    args: readonly string[],
    ready: RegExp,
    more: Record<string, string> = {},
    user: { uid?: number; gid?: number } = {},
  ): Promise<ServerProcess> {
    const env = { ...process.env, ...more };
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env, ...user });
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          said.push(line);
          if (ready.test(line)) resolve();
        });
      }
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`${command} ended with ${code}:\n${said.join("\n")}`)));
    });
    return new ServerProcess(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill(signal);
    await gone;
  }
}
