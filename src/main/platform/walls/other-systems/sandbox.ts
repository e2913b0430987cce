import { homedir } from "node:os";
import { PatchbayError } from "../../../../contract/index.ts";
import { SerialQueue } from "../../../base/serial-queue.ts";
import type { Reach } from "../network/proxy.ts";
import type { Attempt } from "../wall.ts";
import { type FilesNeeds, sandboxFiles, type WalledSystem } from "./files.ts";
import { shell } from "./inside-command.ts";
import { type LibraryConfig, loadLibrary, type SandboxFiles, type SandboxLibrary } from "./library.ts";
import { wallFailed } from "./report.ts";
import { SharedProxy } from "./shared-proxy.ts";
import { tryWall } from "./trial.ts";
import { attemptOf } from "./violations.ts";

/** The port at which a sandbox on Linux finds the proxy: a program inside passes on what comes there. */
const portInside = 3128;

/** What one process gets of the sandbox that all of them share. */
export interface Entry {
  /** At least 22 characters that nobody can guess. */
  id: string;
  files: Pick<FilesNeeds, "wall" | "read" | "write">;
  /** Folder of the sockets that it may connect to; null: none. */
  sockets: string | null;
  /** How programs reach the network through the proxy; null: not at all. */
  proxied: { password: string; reach: Reach } | null;
  line(port: number): string;
  refused(attempt: Attempt): void;
}

interface Running {
  library: SandboxLibrary;
  proxy: SharedProxy;
  port: number;
  end(): void;
}

/**
 * The library's one manager in this process, for processes with different grants. Its configuration is changed for each, one
 * after the other: what a sandbox may do is fixed when its command is made. It runs as long as a process is behind a wall.
 */
export class Sandbox {
  readonly #system: WalledSystem;
  readonly #load: () => SandboxLibrary;
  readonly #turns = new SerialQueue();
  readonly #inside = new Map<string, Entry>();
  readonly #wrapped = new Set<string>();
  #running: Running | null = null;
  #holds = false;

  /** @param load the library; what it makes is tried before it is believed */
  constructor(system: WalledSystem, load = loadLibrary) {
    this.#system = system;
    this.#load = load;
  }

  /** The shell command that runs the entry's line behind its wall. Rejects when there is no such wall. */
  enter(entry: Entry): Promise<string> {
    this.#inside.set(entry.id, entry);
    return this.#turns.run(async () => {
      try {
        const running = await this.#start();
        await this.#try(running);
        if (!this.#inside.has(entry.id)) throw new Error("The process has ended already.");
        if (entry.proxied) running.proxy.admit(entry.proxied.password, entry.proxied.reach);
        const files = sandboxFiles({ ...entry.files, system: this.#system, home: homedir() });
        const command = await this.#wrap(running, files, entry.sockets, entry);
        this.#wrapped.add(entry.id);
        return command;
      } catch (error) {
        // The next one begins anew.
        if (this.#inside.size === 1) await this.#stop();
        throw error;
      }
    });
  }

  /** The process of the entry is gone. */
  leave({ id, proxied }: Entry): void {
    this.#inside.delete(id);
    if (proxied) this.#running?.proxy.dismiss(proxied.password);
    if (this.#wrapped.delete(id)) this.#running?.library.cleanupAfterCommand();
    if (this.#inside.size > 0) return;
    void this.#turns.run(() => (this.#inside.size === 0 ? this.#stop() : undefined));
  }

  async #start(): Promise<Running> {
    if (this.#running) return this.#running;
    const proxy = new SharedProxy();
    try {
      const library = this.#load();
      const port = await proxy.open();
      const before = signalListeners();
      await library.initialize(this.#config(port, null), undefined, this.#system === "darwin");
      // How Patchbay ends is its own matter; at its end the library is told anyway.
      for (const [name, listeners] of signalListeners())
        for (const each of listeners) if (!before.get(name)?.includes(each)) process.off(name, each);
      const end = this.#follow(library);
      this.#running = { library, proxy, port, end };
      return this.#running;
    } catch (error) {
      proxy.close();
      throw notMade((error as Error).message);
    }
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    running.end();
    running.proxy.close();
    await running.library.reset();
  }

  /** Before the first process: whether the wall holds on this machine. */
  async #try(running: Running): Promise<void> {
    if (this.#holds) return;
    const problem = await tryWall(({ open, line }) => {
      const wall = { read: [], write: [], hidden: [] };
      const files = sandboxFiles({ wall, read: [], write: [open], system: this.#system, home: homedir() });
      return this.#wrap(running, files, null, { id: "a trial of the walls by Patchbay", line: () => line });
    });
    running.library.cleanupAfterCommand();
    if (problem !== null) throw notMade(problem);
    this.#holds = true;
  }

  #wrap(
    { library, port }: Running,
    files: SandboxFiles,
    sockets: string | null,
    { id, line }: Pick<Entry, "id" | "line">,
  ): Promise<string> {
    const bridges = [library.getLinuxHttpSocketPath(), library.getLinuxSocksSocketPath()];
    const ways = bridges.filter((path) => path !== undefined);
    const filesystem = {
      ...files,
      allowRead: [...files.allowRead, ...ways.map((path) => ({ path, literal: true as const }))],
    };
    library.updateConfig(this.#config(port, sockets));
    const command = line(this.#system === "linux" ? portInside : port);
    const options = { commandId: id, commandText: id };
    return library.wrapWithSandbox(command, shell, { filesystem }, undefined, options);
  }

  #config(port: number, sockets: string | null): LibraryConfig {
    const nothing = { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] };
    return {
      network: {
        // Both proxies are ours. The library's own asks which host may be reached, but cannot say who wants to.
        allowedDomains: [],
        deniedDomains: [],
        strictAllowlist: true,
        httpProxyPort: port,
        socksProxyPort: port,
        ...(this.#system === "linux"
          ? { allowAllUnixSockets: true }
          : { allowUnixSockets: sockets === null ? [] : [sockets] }),
      },
      filesystem: { ...nothing, allowGitConfig: true },
      // It would look below the folder that Patchbay runs in for what must not be changed. Nothing there can be.
      ...(this.#system === "linux" && { ripgrep: { command: "true" } }),
    };
  }

  /** Passes on what the system refused. */
  #follow(library: SandboxLibrary): () => void {
    const store = library.getSandboxViolationStore();
    let told = store.getTotalCount();
    return store.subscribe((violations) => {
      const total = store.getTotalCount();
      const fresh = violations.slice(Math.max(0, violations.length - (total - told)));
      told = total;
      for (const { line, command } of fresh) {
        const attempt = attemptOf(line);
        if (attempt && command !== undefined) this.#inside.get(command)?.refused(attempt);
      }
    });
  }
}

/** From now on no wall stands, for the reason given. */
function notMade(why: string): PatchbayError {
  wallFailed(why);
  return new PatchbayError(
    "WALLS_MISSING",
    `The plugin did not start, because its wall does not hold. ${why}`,
    { details: { why, notes: [{ code: "failed", reason: why }] } },
  );
}

function signalListeners(): Map<NodeJS.Signals, NodeJS.SignalsListener[]> {
  const names = ["SIGINT", "SIGTERM"] as const;
  return new Map(names.map((name) => [name, process.listeners(name) as NodeJS.SignalsListener[]]));
}

let shared: Sandbox | undefined;

export function theSandbox(): Sandbox {
  shared ??= new Sandbox(process.platform === "darwin" ? "darwin" : "linux");
  return shared;
}
