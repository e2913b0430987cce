import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Duplex } from "node:stream";
import type { HostExit } from "../../platform.ts";
import { doorName, NetworkDoor } from "../network/door.ts";
import { useProxyVariable } from "../scratch/first-script.ts";
import { Scratch } from "../scratch/scratch.ts";
import { trustIn } from "../secrets/trust.ts";
import { proxyEnvironment } from "../starter.ts";
import { filesOfPrograms, personsPrograms } from "../view.ts";
import type { Wall } from "../wall.ts";
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
} from "../walled.ts";
import { InsideWatch } from "../watch.ts";
import { failedExec, failing, insideCommand, waitingShell } from "./inside-command.ts";
import { otherReport } from "./report.ts";
import { type Entry, theSandbox } from "./sandbox.ts";
import { addressBeforePort, newPassword } from "./shared-proxy.ts";

/** A process behind a wall of `@anthropic-ai/sandbox-runtime`. */
export class SandboxedProcess implements Walled {
  readonly #wall: Wall;
  readonly #options: WalledOptions;
  readonly #scratch: Scratch | undefined;
  readonly #door: NetworkDoor | undefined;
  readonly #trusted: Record<string, string> = {};
  #entry: Entry | undefined;
  #file = "";
  #child: ChildProcess | undefined;
  #watch: InsideWatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #said = "";
  #ended = false;

  constructor(wall: Wall, options: WalledOptions) {
    this.#wall = wall;
    this.#options = options;
    if (!otherReport().stands) return;
    this.#scratch = options.scratch ?? new Scratch(wall);
    mkdirSync(temporaryOf(this.#scratch), { recursive: true, mode: 0o700 });
    const folder = options.by === "door" ? this.#scratch.door : null;
    const refused = (attempt: Parameters<Wall["refused"] & {}>[0]) => wall.refused?.(attempt);
    this.#door = new NetworkDoor(folder, wall.network ?? nobody, refused, folder ?? undefined, wall.putIn);
    if (folder !== null && wall.putIn)
      this.#trusted = trustIn(folder, wall.putIn.authority.certificate, folder);
  }

  get stands(): boolean {
    return this.#scratch !== undefined;
  }

  get ownFolders(): readonly string[] {
    if (!this.#scratch) return usualFolders();
    const own = [this.#scratch.home.folder, temporaryOf(this.#scratch), this.#scratch.door];
    // The folder for temporary files is a link on macOS, and Node's permissions go by the spelling.
    return [...new Set([...own, ...own.map(real)])];
  }

  get inside(): number | undefined {
    return process.platform === "linux" ? this.#watch?.first() : this.#child?.pid;
  }

  spawn(command: Command, { needs = [], stdio, ...rest }: WalledSpawn): ChildProcess {
    const options = { ...rest, windowsHide: true };
    if (!this.#scratch) {
      const { file, args, cwd, env } = command;
      return spawn(file, [...args], { ...options, cwd, env, stdio });
    }
    const temporary = temporaryOf(this.#scratch);
    const isProxied = this.#options.by === "proxy" && this.#wall.network !== undefined;
    const password = newPassword();
    const inside = insideCommand({
      ...command,
      env: this.#environment(command.env, this.#scratch, temporary, isProxied),
      ...(isProxied && { withPort: addresses(password) }),
    });
    this.#file = command.file;
    this.#entry = {
      id: randomBytes(24).toString("base64url"),
      files: {
        wall: this.#wall,
        read: [...needs.map(wholeApp), ...this.#programs(command), ...this.#shown(this.#scratch)],
        write: [this.#scratch.home.folder, temporary].map(real),
      },
      sockets: this.#options.by === "door" ? real(this.#scratch.door) : null,
      proxied: isProxied
        ? { password, reach: (host, port, signal) => this.#reach(host, port, signal) }
        : null,
      line: inside.line,
      refused: (attempt) => this.#wall.refused?.(attempt),
    };
    const waiting = waitingShell(stdio.length);
    const child = spawn(waiting.file, waiting.args, {
      ...options,
      // A folder for temporary files is closed to it, but for its own.
      cwd: command.cwd === tmpdir() ? temporary : command.cwd,
      env: inside.env,
      stdio: [...stdio, "pipe"],
    });
    this.#follow(child, child.stdio[stdio.length] as Duplex | undefined, this.#entry);
    return child;
  }

  signal(name: NodeJS.Signals): void {
    const leader = this.#child?.pid;
    const targets = this.#watch?.processes() ?? [];
    // On macOS nothing stands between: the group is the plugin and what it started.
    signalAll(process.platform === "linux" ? targets : leader === undefined ? [] : [-leader], name);
  }

  failedStart({ code }: HostExit): NodeJS.ErrnoException | null {
    const known = failedExec(this.#file, code, this.#said);
    if (known === null) return null;
    const syscall = `spawn ${this.#file}`;
    const error = new Error(`${syscall} ${known}: ${startErrors[known]}`);
    return Object.assign(error, { code: known, syscall, path: this.#file });
  }

  /** On Linux a sandbox tells of a signal by an exit code of 128 and more; on macOS the process itself ends by it. */
  exitOf(exit: HostExit): HostExit {
    return this.stands && process.platform === "linux" ? bySignal(exit) : exit;
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#door?.close();
    this.#look();
    this.#watch?.close();
    if (this.#entry) theSandbox().leave(this.#entry);
    if (!this.#options.scratch) this.#scratch?.remove();
  }

  #environment(
    env: Record<string, string>,
    { home, door }: Scratch,
    temporary: string,
    isProxied: boolean,
  ): Record<string, string> {
    return {
      ...env,
      ...(isProxied && { [useProxyVariable]: "1", ...ownProxySettings(env) }),
      ...this.#trusted,
      ...(this.#options.by === "door" && { [doorVariable]: join(door, doorName) }),
      HOME: home.folder,
      TMPDIR: temporary,
    };
  }

  /** What it sees of its scratch folder besides its own folders. */
  #shown({ door }: Scratch): string[] {
    return this.#options.by === "door" ? [real(door)] : [];
  }

  /** Files and folders of programs that lie in closed folders. */
  #programs({ file, env: { PATH = "/usr/bin:/bin" } }: Command): string[] {
    const { programs } = this.#wall;
    const own = isAbsolute(file) ? [] : filesOfPrograms([file], PATH);
    if (programs === "none") return own;
    return [...own, ...(programs === "any" ? personsPrograms(PATH) : filesOfPrograms(programs.named, PATH))];
  }

  #reach(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    return this.#door?.reach(host, port, signal) ?? Promise.reject(new Error("There is no door."));
  }

  #follow(child: ChildProcess, order: Duplex | undefined, entry: Entry): void {
    this.#child = child;
    if (child.pid === undefined || !order) return;
    if (process.platform === "linux") this.#watch = new InsideWatch(child.pid);
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
    child.once("exit", () => this.#door?.close());
    child.stderr?.on("data", (chunk: Buffer) => {
      if (this.#said.length < 4_096) this.#said += chunk.toString();
    });
    order.on("error", () => {});
    order.resume();
    theSandbox()
      .enter(entry)
      .catch((error: Error) => failing(error.message))
      .then((line) => order.end(line));
  }

  #look(): void {
    for (const target of this.#scratch?.touched() ?? [])
      this.#wall.refused?.({ wall: "files", target, seenBy: "wall" });
  }
}

/** A program of macOS does not start without the rest of the app that it is in. */
function wholeApp(path: string): string {
  return /^.*?\.app(?=\/Contents\/MacOS\/)/.exec(path)?.[0] ?? path;
}

/** What it has for `/tmp`. */
function temporaryOf({ folder }: Scratch): string {
  return join(folder, "tmp");
}

/** By which programs find the proxy. */
function addresses(password: string): Record<string, string> {
  const address = addressBeforePort(password);
  const all = Object.entries(proxyEnvironment(address));
  return Object.fromEntries(all.filter(([, value]) => value === address));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
