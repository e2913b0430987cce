import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Duplex, Readable, Writable } from "node:stream";
import { endedForMemory, MemoryWatch } from "./how-it-ended.ts";
import { leadsGroup, NodeChild } from "./node-child.ts";
import type { HostExit, SpawnedHost, SpawnOptions } from "./platform.ts";
import { hostMark } from "./process-tree.ts";
import { behindWall } from "./walls/start.ts";
import type { Walled } from "./walls/walled.ts";

/** Environment variable with the number of the private wire's file descriptor. It carries both directions. */
const wireVariable = "PATCHBAY_WIRE_FD";

/** Number of that descriptor: the first one after standard input, output and error. */
const WIRE_FD = 3;

/** Starts any program as a host. One that cannot be started is reported as an exit. */
export function spawnNodeHost(options: SpawnOptions): SpawnedHost {
  const { file, args, cwd, wire } = options;
  const mark = randomUUID();
  const isPrivate = wire === "private";
  const env = { ...options.env, [hostMark]: mark, ...(isPrivate && { [wireVariable]: String(WIRE_FD) }) };
  const how = {
    detached: leadsGroup,
    stdio: (isPrivate ? ["ignore", "pipe", "pipe", "pipe"] : ["pipe", "pipe", "pipe"]) as (
      | "ignore"
      | "pipe"
    )[],
    windowsHide: true,
  };
  const walled = options.wall && behindWall(options.wall, { by: "proxy" });
  const child = walled
    ? walled.spawn({ file, args, cwd, env }, how)
    : spawn(file, [...args], { ...how, cwd, env });
  const own = child.stdio[WIRE_FD] as Duplex | undefined;
  return new SpawnedNodeHost(
    child,
    isPrivate ? { input: own, output: own } : { input: child.stdin, output: child.stdout },
    { mark, ...(walled && { walled }) },
  );
}

interface Wire {
  input: Writable | null | undefined;
  output: Readable | null | undefined;
}

export class SpawnedNodeHost extends NodeChild implements SpawnedHost {
  readonly #wire: Wire;
  readonly #walled: Walled | undefined;
  readonly #memoryMb: number | undefined;
  readonly #watch = new MemoryWatch();
  /** How many processes the system had ended for want of memory when this one was started. */
  readonly #endedBefore = endedForMemory();

  /**
   * @param more `mark`: see {@link NodeChild}. `walled`: what holds it. `memoryMb`: what a Node process may use, which
   * says itself that it is full
   */
  constructor(
    child: ReturnType<typeof spawn>,
    wire: Wire,
    { mark, walled, memoryMb }: { mark?: string; walled?: Walled; memoryMb?: number } = {},
  ) {
    super(child, mark);
    this.#wire = wire;
    this.#walled = walled;
    this.#memoryMb = memoryMb;
    if (memoryMb !== undefined) child.stderr?.on("data", (chunk: Buffer) => this.#watch.read(chunk));
    super.onExit(() => void walled?.end());
    // A wire breaks when the process ends; its exit is reported anyway and says more.
    wire.input?.on("error", () => {});
    wire.output?.on("error", () => {});
  }

  /** The process that runs the plugin, not what walls it: who looks at it, or ends it, means that one. */
  override get pid(): number | undefined {
    return super.pid === undefined ? undefined : (this.#walled?.inside ?? super.pid);
  }

  get unsentBytes(): number {
    return this.#wire.input?.writableLength ?? 0;
  }

  write(text: string): void {
    if (this.#wire.input?.writable) this.#wire.input.write(text);
  }

  onData(listener: (chunk: Buffer) => void): void {
    this.#wire.output?.on("data", listener);
  }

  override onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void {
    if (this.#wire.output !== this.child.stdout) super.onOutput(listener);
    else this.child.stderr?.on("data", (chunk: Buffer) => listener("stderr", chunk));
  }

  override onExit(listener: (exit: HostExit) => void): void {
    super.onExit((exit) => {
      const failure = this.#walled?.failedStart(exit);
      if (failure) listener({ code: null, signal: null, error: failure.message });
      else listener(this.#withMemory(this.#walled?.exitOf(exit) ?? exit));
    });
  }

  #withMemory(exit: HostExit): HostExit {
    if (this.#watch.isFull && this.#memoryMb !== undefined && exit.code !== 0)
      return { ...exit, memory: { limitMb: this.#memoryMb } };
    if (exit.signal !== "SIGKILL" || this.#endedBefore === null) return exit;
    return (endedForMemory() ?? 0) > this.#endedBefore ? { ...exit, memory: "machine" } : exit;
  }

  closeWire(): void {
    this.#wire.input?.end();
  }
}
