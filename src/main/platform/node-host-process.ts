import { fork, type spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { leadsGroup, NodeChild } from "./node-child.ts";
import type { ForkOptions, HostExit, HostProcess } from "./platform.ts";
import { permissionFlags } from "./walls/node-permissions.ts";
import { behindWall } from "./walls/start.ts";
import type { Walled } from "./walls/walled.ts";

/**
 * A host over `child_process.fork`.
 *
 * @param bundleDir folder in which `<entry>.js` lies
 */
export function forkNodeHost(bundleDir: string, options: ForkOptions): HostProcess {
  const entry = join(bundleDir, `${options.entry}.js`);
  const flags = [`--max-old-space-size=${options.memoryMb}`, `--title=${options.name}`];
  if (options.wall) return forkWalled(bundleDir, entry, flags, options, options.wall);
  const child = fork(entry, [], {
    cwd: options.cwd,
    env: options.env,
    execArgv: flags,
    // JSON, because a structured clone ("advanced") of a small message takes about six times as long.
    serialization: "json",
    detached: leadsGroup,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    windowsHide: true,
  });
  return new NodeHostProcess(child);
}

/** As above, with the process behind a wall: that of the system, and Node's own permissions as a second one. */
function forkWalled(
  bundleDir: string,
  entry: string,
  flags: string[],
  options: ForkOptions,
  wall: NonNullable<ForkOptions["wall"]>,
): HostProcess {
  const needs = [process.execPath, bundleDir, join(dirname(dirname(bundleDir)), "package.json")];
  const walled = behindWall(wall, { by: "door" });
  const args = [...flags, ...permissionFlags(wall, needs, walled.ownFolders), entry];
  const child = walled.spawn(
    { file: process.execPath, args, cwd: options.cwd, env: options.env },
    { needs, serialization: "json", detached: leadsGroup, stdio: ["ignore", "pipe", "pipe", "ipc"] },
  );
  return new NodeHostProcess(child, walled);
}

class NodeHostProcess extends NodeChild implements HostProcess {
  readonly #walled: Walled | undefined;

  constructor(child: ReturnType<typeof spawn>, walled?: Walled) {
    super(child);
    this.#walled = walled;
    super.onExit(() => walled?.end());
  }

  /** The process that runs the plugin, not what walls it: who looks at it, or ends it, means that one. */
  override get pid(): number | undefined {
    return super.pid === undefined ? undefined : (this.#walled?.inside ?? super.pid);
  }

  override onExit(listener: (exit: HostExit) => void): void {
    super.onExit((exit) => listener(this.#walled?.exitOf(exit) ?? exit));
  }

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
