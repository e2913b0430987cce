import { fork, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import type { Duplex } from "node:stream";
import { lineProcess } from "./lines/line-process.ts";
import { leadsGroup, NodeChild } from "./node-child.ts";
import type { ForkOptions, HostProcess } from "./platform.ts";
import { SpawnedNodeHost } from "./spawned-host.ts";
import { permissionFlags } from "./walls/node-permissions.ts";
import { behindWall } from "./walls/start.ts";
import { usualFolders, type Walled } from "./walls/walled.ts";

/** Number of the file descriptor of the line to the app. */
const LINE_FD = 3;

/** By these Node finds its channel: in the child it is Node's own, with `process.send` and all that belongs to it. */
const channel = { NODE_CHANNEL_FD: String(LINE_FD), NODE_CHANNEL_SERIALIZATION_MODE: "json" };

const stdio: ("ignore" | "pipe")[] = ["ignore", "pipe", "pipe", "pipe"];

/**
 * A Node process that runs a bundle of ours. On this side its channel is read by us, line by line: Node's own reader
 * throws where nobody can catch it when a line is no JSON, and plugin code can write there whatever it likes.
 *
 * @param bundleDir folder in which `<entry>.js` lies
 */
export function forkNodeHost(bundleDir: string, options: ForkOptions): HostProcess {
  const { cwd, env, memoryMb, name, wall } = options;
  const entry = join(bundleDir, `${options.entry}.js`);
  const flags = [`--max-old-space-size=${memoryMb}`, `--title=${name}`];
  const how = { detached: leadsGroup, stdio, windowsHide: true };
  const needs = [process.execPath, bundleDir, join(dirname(dirname(bundleDir)), "package.json")];
  // The channel of Windows is no plain pipe. No wall stands there but Node's own.
  if (!leadsGroup) {
    const held = wall ? permissionFlags(wall, needs, usualFolders()) : [];
    return forkOnWindows(entry, [...flags, ...held], options);
  }
  if (!wall) {
    const child = spawn(process.execPath, [...flags, entry], { ...how, cwd, env: { ...env, ...channel } });
    return lineProcess(overLine(child, memoryMb));
  }
  const walled = behindWall(wall, { by: "door" });
  const args = [...flags, ...permissionFlags(wall, needs, walled.ownFolders), entry];
  const child = walled.spawn(
    { file: process.execPath, args, cwd, env: { ...env, ...channel } },
    { ...how, needs },
  );
  return lineProcess(overLine(child, memoryMb, walled));
}

function overLine(child: ReturnType<typeof spawn>, memoryMb: number, walled?: Walled): SpawnedNodeHost {
  const line = child.stdio[LINE_FD] as Duplex | undefined;
  return new SpawnedNodeHost(child, { input: line, output: line }, { memoryMb, ...(walled && { walled }) });
}

function forkOnWindows(entry: string, flags: string[], { cwd, env }: ForkOptions): HostProcess {
  const child = fork(entry, [], {
    cwd,
    env,
    execArgv: flags,
    // JSON, because a structured clone ("advanced") of a small message takes about six times as long.
    serialization: "json",
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
