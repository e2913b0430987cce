import type { EventEmitter } from "node:events";
import type { PlaceKind } from "../../contract/index.ts";

/** A process that runs plugin code. One interface over `utilityProcess` (Electron) and `child_process.fork` (Node). */
export interface HostProcess {
  readonly pid: number | undefined;
  /** JSON values only. Does nothing once the process has ended. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Lines or chunks that the process printed. */
  onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void;
  /** Called once. `code` is null when a signal ended it. */
  onExit(listener: (exit: HostExit) => void): void;
  /** SIGKILL to the process and everything it started. */
  kill(): void;
}

export interface HostExit {
  code: number | null;
  signal: string | null;
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

/** The port to the machine. Two adapters: `shell/electron-platform.ts` and `gateway/node-platform.ts`. */
export interface Platform {
  readonly shell: "desktop" | "browser" | "cli";
  readonly home: string;
  readonly version: string;
  /** Folder with the built bundles (`out/main`), and with `resources/` and the built-in plugins beside it. */
  readonly bundleDir: string;
  readonly resourcesDir: string;
  forkHost(options: ForkOptions): HostProcess;
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
