import { fork } from "node:child_process";
import { join } from "node:path";
import { leadsGroup, NodeChild } from "./node-child.ts";
import type { ForkOptions, HostProcess } from "./platform.ts";

/**
 * A host over `child_process.fork`.
 *
 * @param bundleDir folder in which `<entry>.js` lies
 */
export function forkNodeHost(bundleDir: string, options: ForkOptions): HostProcess {
  const child = fork(join(bundleDir, `${options.entry}.js`), [], {
    cwd: options.cwd,
    env: options.env,
    execArgv: [`--max-old-space-size=${options.memoryMb}`, `--title=${options.name}`],
    // JSON, because a structured clone ("advanced") of a small message takes about six times as long.
    serialization: "json",
    detached: leadsGroup,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    windowsHide: true,
  });
  return new NodeHostProcess(child);
}

class NodeHostProcess extends NodeChild implements HostProcess {
  post(message: unknown): void {
    if (!this.child.connected) return;
    // When the process ends at this moment, `send` reports EPIPE as an "error" event. NodeChild listens for that event
    // and ignores it, because the exit follows.
    this.child.send(message as object);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.child.on("message", listener);
  }
}
