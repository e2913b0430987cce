import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Server } from "node:net";
import { homedir } from "node:os";
import type { Duplex } from "node:stream";
import type { HostExit } from "../platform.ts";
import { doorName, NetworkDoor } from "./network/door.ts";
import { serveProxy } from "./network/proxy.ts";
import { bubblewrap } from "./probe.ts";
import { firstScript, useProxyVariable } from "./scratch/first-script.ts";
import { doorFolder, Scratch } from "./scratch/scratch.ts";
import { openFilter } from "./seccomp.ts";
import { trustIn } from "./secrets/trust.ts";
import { hasStarter, proxyEnvironment, starter } from "./starter.ts";
import { Trace } from "./traces/trace.ts";
import { watchIsSure, watchProblem } from "./traces/watcher.ts";
import type { Attempt, Wall } from "./wall.ts";
import {
  bySignal,
  type Command,
  doorVariable,
  LOOK_MS,
  nobody,
  ownProxySettings,
  signalAll,
  startErrors,
  usualFolders,
  type Walled,
  type WalledOptions,
  type WalledSpawn,
} from "./walled.ts";
import { InsideWatch } from "./watch.ts";
import { wrapped } from "./wrap.ts";

/** A process behind a wall of bubblewrap. */
export class WalledProcess implements Walled {
  readonly #wall: Wall;
  readonly #options: WalledOptions;
  readonly #scratch: Scratch | undefined;
  readonly #door: NetworkDoor | undefined;
  readonly #trusted: Record<string, string> = {};
  #timer: NodeJS.Timeout | undefined;
  #inside: InsideWatch | undefined;
  #first: number | undefined;
  #child: ChildProcess | undefined;
  #closeProxy = () => {};
  #strayed = false;
  #said = "";
  #ended = false;
  /** Why it was ended from here; undefined while it was not. */
  #endedFor: string | undefined;
  #measuring = false;
  /** What had run before the last look that could see everything. */
  #lookedAt: string | null = null;
  #trace: Trace | undefined;

  constructor(wall: Wall, options: WalledOptions) {
    this.#wall = wall;
    this.#options = options;
    if (bubblewrap().file === null) return;
    // Programs may fill a home folder with what they build; that does not belong in memory.
    this.#scratch = options.scratch ?? new Scratch(wall, options.by === "door" && wall.programs === "none");
    const folder = options.by === "door" ? this.#scratch.door : null;
    const told = (attempt: Attempt) => wall.refused?.(attempt);
    this.#door = new NetworkDoor(folder, wall.network ?? nobody, told, doorFolder, wall.putIn);
    if (folder !== null && wall.putIn) this.#trusted = trustIn(folder, wall.putIn.authority.certificate);
  }

  spawn(command: Command, { needs = [], stdio, ...rest }: WalledSpawn): ChildProcess {
    const options = { ...rest, windowsHide: true };
    if (!this.#scratch) {
      const { file, args, cwd, env } = command;
      return spawn(file, [...args], { ...options, cwd, env, stdio });
    }
    const isHost = this.#options.by === "door";
    const isProxied = !isHost && this.#wall.network !== undefined && hasStarter();
    const script = isProxied ? firstScript(command, this.#scratch.folder) : null;
    const isWatched = watchProblem() === null;
    const env = {
      ...(script?.env ?? command.env),
      ...(command.env.TMPDIR !== undefined && { TMPDIR: "/tmp" }),
      ...this.#trusted,
      ...(isHost && { [doorVariable]: `${doorFolder}/${doorName}` }),
      ...(isProxied && {
        ...proxyEnvironment(),
        ...(script === null && { [useProxyVariable]: "1" }),
        ...ownProxySettings(command.env),
      }),
    };
    const channels = [...stdio, ...(isProxied ? (["ipc"] as const) : [])];
    const line = isWatched ? channels.length : null;
    const first =
      isHost && !isWatched
        ? null
        : starter({
            network: isProxied,
            host: isHost,
            keep: stdio.length - 1,
            line,
            sure: watchIsSure(),
            env,
          });
    const all = [...needs, ...(script?.needs ?? []), ...(first?.needs ?? [])];
    const filter = openFilter(line === null ? "whole" : "rest");
    const program = [command.file, ...(script?.args ?? []), ...command.args];
    const [file = "", ...args] = [...(first?.command ?? []), ...program];
    const inside = { ...command, file, args, env: first?.env ?? env };
    const passed = [...channels, ...(line === null ? [] : (["pipe"] as const))];
    const outside = wrapped(inside, this.#wall, this.#scratch, {
      needs: all,
      filter: filter === null ? null : passed.length,
      door: isHost,
    });
    try {
      const child = spawn(outside.file, [...outside.args], {
        ...options,
        cwd: outside.cwd,
        env: outside.env,
        stdio: filter === null ? passed : [...passed, filter],
      });
      this.#follow(child);
      if (line !== null) this.#listen(child.stdio[line] as Duplex, all);
      return child;
    } finally {
      if (filter !== null) closeSync(filter);
    }
  }

  /** Sends a signal to what runs behind the wall. bubblewrap itself would die of it and take all with it. */
  signal(name: NodeJS.Signals): void {
    signalAll(this.#inside?.processes() ?? [], name);
  }

  get ownFolders(): readonly string[] {
    return usualFolders();
  }

  get stands(): boolean {
    return this.#scratch !== undefined;
  }

  failedStart({ code }: HostExit): NodeJS.ErrnoException | null {
    const reason = code === 1 ? /^bwrap: execvp (.*): (.+)$/m.exec(this.#said) : null;
    if (!reason) return null;
    const [, file, why = ""] = reason;
    const known = Object.entries(startErrors).find(([, text]) => text === why)?.[0] ?? "ENOENT";
    const message = `spawn ${file} ${known}`;
    return Object.assign(new Error(message), { code: known, syscall: `spawn ${file}`, path: file });
  }

  get inside(): number | undefined {
    this.#first ??= this.#inside?.first();
    return this.#first;
  }

  /** bubblewrap tells of a signal that ended the process by an exit code of 128 and more, as shells do. */
  exitOf(exit: HostExit): HostExit {
    const how = this.#scratch ? bySignal(exit) : exit;
    return this.#endedFor === undefined ? how : { ...how, endedFor: this.#endedFor };
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#closeProxy();
    this.#door?.close();
    const heard = this.#trace?.over();
    const measuring = this.#scratch?.measuring;
    if (measuring) await measuring.catch(() => {});
    this.#look();
    this.#inside?.close();
    if (!this.#options.scratch) this.#scratch?.remove();
    await heard;
  }

  #listen(line: Duplex, needs: readonly string[]): void {
    const { read, write, hidden, shown: over = [] } = this.#wall;
    const shown = [...read, ...write, ...needs, ...over.map(({ at }) => at)];
    const fixed = over.filter(({ access }) => access === "write").map(({ at }) => at);
    const changeable = new Set([...write, ...fixed]);
    const watched = {
      all: shown.includes("/"),
      home: homedir(),
      hidden,
      shown: shown.filter((path) => path !== "/"),
      readOnly: read.filter((path) => !changeable.has(path)),
      code: over.filter(({ access }) => access === "read").map(({ at }) => at),
      fixed,
    };
    const lost = () =>
      this.#kill("the program that sees what it tries has ended, and without that one it can open no files");
    this.#trace = new Trace(watched, (attempt) => this.#wall.refused?.(attempt), lost);
    this.#trace.answer(line, () => this.inside);
  }

  #follow(child: ChildProcess): void {
    if (child.pid === undefined) return;
    this.#child = child;
    this.#inside = new InsideWatch(child.pid);
    this.#timer = setInterval(() => this.#lookAgain(), LOOK_MS);
    this.#timer.unref();
    // Whoever it was connected with must not wait for a process that is gone.
    child.once("exit", () => this.#door?.close());
    child.stderr?.on("data", (chunk: Buffer) => {
      if (this.#said.length < 4_096) this.#said += chunk.toString("latin1");
    });
    if (this.#options.by === "door") return;
    child.once("message", (_message, handle) => {
      if (!(handle instanceof Server)) return;
      if (this.#ended) return void handle.close();
      this.#inside?.countPackets();
      this.#closeProxy = serveProxy(handle, (host, port, signal) => {
        return this.#door?.reach(host, port, signal) ?? Promise.reject(new Error("There is no door."));
      });
    });
  }

  /** Looks when something has run since the last look: most plugins wait most of the time. */
  #lookAgain(): void {
    const activity = this.#inside?.activity() ?? null;
    if (activity !== null && activity === this.#lookedAt) return;
    // Bait is not looked at while the measuring of the look before is under way.
    this.#lookedAt = this.#scratch?.measuring ? null : activity;
    this.#look();
  }

  #look(): void {
    for (const target of this.#scratch?.touched() ?? []) {
      this.#wall.refused?.({ wall: "files", target, seenBy: "wall" });
    }
    if (!this.#strayed && (this.#inside?.strayPackets() ?? 0) > 0) {
      this.#strayed = true;
      this.#wall.refused?.({ wall: "network", target: "an address past Patchbay's proxy", seenBy: "wall" });
    }
    if (this.#ended) return;
    this.#inside?.countPackets();
    const excess = this.#inside?.excess() ?? null;
    if (excess !== null) this.#exceeded("programs", excess, `it had ${excess}`);
    else void this.#measure();
  }

  async #measure(): Promise<void> {
    if (this.#measuring) return;
    this.#measuring = true;
    const full = (await this.#scratch?.overfull()) ?? null;
    this.#measuring = false;
    if (full === null) return;
    this.#exceeded(
      "files",
      `${full}, more than fits there`,
      `it had written more into ${full} than fits there`,
    );
  }

  #exceeded(wall: Attempt["wall"], target: string, why: string): void {
    if (this.#ended) return;
    clearInterval(this.#timer);
    this.#wall.refused?.({ wall, target, seenBy: "wall" });
    this.#kill(why);
  }

  #kill(why: string): void {
    this.#endedFor ??= why;
    this.#child?.kill("SIGKILL");
  }
}
