import type { EventEmitter } from "node:events";
import type { PlaceKind } from "../../contract/index.ts";

/** A child process with everything that it starts. */
export interface ChildHost {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Chunks of what the process printed. */
  onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void;
  /** Called once, when the process and what it started is gone and its output was read. */
  onExit(listener: (exit: HostExit) => void): void;
  /** SIGKILL to the process and everything it started. */
  kill(): void;
}

/** A process of ours that runs plugin code: `utilityProcess` (Electron) or `child_process.fork` (Node). */
export interface HostProcess extends ChildHost {
  /** JSON values only. Does nothing once the process has ended. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** A process of any program. What the bytes on its wire mean is up to whoever started it. */
export interface SpawnedHost extends ChildHost {
  /** Bytes that were written and that the process has not read yet. */
  readonly unsentBytes: number;
  /** Does nothing once the process has ended. */
  write(text: string): void;
  onData(listener: (chunk: Buffer) => void): void;
  /** Tells a process that listens at its wire to end by itself. */
  closeWire(): void;
}

export interface HostExit {
  /** Null when a signal ended it or it could not be started. */
  code: number | null;
  signal: string | null;
  /** Why it could not be started, in the words of the system. */
  error?: string;
}

export interface ForkOptions {
  /** Name of a bundle entry in `out/main`: `host`, `fetch`. */
  entry: "host" | "fetch";
  /** Shown in process lists. */
  name: string;
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /** V8 old-space limit in MiB. */
  memoryMb: number;
}

export interface SpawnOptions {
  /** A path, or a name that is looked for in the `PATH` of `env`. Never a shell. */
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /**
   * Where the protocol runs. `private`: over a descriptor of its own, named in `PATCHBAY_WIRE_FD`, so that plugin code may
   * print what it likes. `stdio`: over its input and output, for programs that know nothing else.
   */
  wire: "private" | "stdio";
}

/** The port to the machine. Two adapters: `shell/electron-platform.ts` and `platform/node-platform.ts`. */
export interface Platform {
  readonly shell: "desktop" | "browser" | "cli";
  readonly home: string;
  readonly version: string;
  /** Folder with the built bundles (`out/main`), and with `resources/` and the built-in plugins beside it. */
  readonly bundleDir: string;
  readonly resourcesDir: string;
  /** Runs a bundle of ours. */
  forkHost(options: ForkOptions): HostProcess;
  /** Runs any program. One that cannot be started is reported as an exit. */
  spawnHost(options: SpawnOptions): SpawnedHost;
  /** Opens an http(s) address in the person's browser. */
  openUrl(url: string): Promise<void>;
  /** Tells the person that something needs them. */
  notify(notification: { title: string; body: string; route?: string }): void;
  /** Where the person looks for files that a program gives them; absent where a page or a command hands them over. */
  readonly downloads?: string;
  /** The person points at a file or folder in a dialog of the desktop; null when they do not. Absent without a desktop. */
  choosePlace?(kind: PlaceKind): Promise<string | null>;
  /** Wraps and unwraps the vault's data key with the OS keychain; absent where there is none that is worth the name. */
  readonly keychain?: Keychain;
}

export interface Keychain {
  readonly name: string;
  wrap(key: Buffer): Promise<Buffer>;
  unwrap(wrapped: Buffer): Promise<Buffer>;
}

/** A typed `EventEmitter`, for services that announce changes. */
export type Emitter<Events extends Record<string, unknown[]>> = EventEmitter<Events>;
