import type { EventEmitter } from "node:events";
import type { PersonAct, PlaceKind } from "../../contract/index.ts";
import type { Meddling } from "./meddling.ts";
import type { Wall, WallEvents, WallReport } from "./walls/wall.ts";

/** A child process with everything that it starts. */
export interface ChildHost {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** The listener gets what the process prints, in chunks as they come. */
  onOutput(listener: (stream: "stdout" | "stderr", chunk: Buffer) => void): void;
  /** The listener is called once, when the process and everything it started are gone and their output was read. */
  onExit(listener: (exit: HostExit) => void): void;
  /** SIGKILL to the process and everything it started. */
  kill(): void;
}

/** A process of ours that runs plugin code: `utilityProcess` (Electron) or `child_process.fork` (Node). */
export interface HostProcess extends ChildHost {
  /** Sends a message, which must be a JSON value. Does nothing once the process has ended. */
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** A process of any program. Its wire carries bytes; the runtime that started it knows their protocol. */
export interface SpawnedHost extends ChildHost {
  /** Bytes that were written to the wire and that the process has not read yet. */
  readonly unsentBytes: number;
  /** Does nothing once the process has ended. */
  write(text: string): void;
  onData(listener: (chunk: Buffer) => void): void;
  /** Closes our end of the wire. A process that reads it sees the end of its input and should end by itself. */
  closeWire(): void;
}

export interface HostExit {
  /** Null when a signal ended it or it could not be started. */
  code: number | null;
  signal: string | null;
  /** Why it could not be started, in the words of the system. */
  error?: string;
  /** Why Patchbay ended it, as half a sentence: `it did not answer for 10 seconds`. Absent when it did not. */
  endedFor?: string;
  /** What was full when it ended: what it may use itself, or the memory of the machine. */
  memory?: { limitMb: number } | "machine";
  /** It ended by itself, without a fault and while nothing was asked of it: it is started again when it is needed. */
  finished?: true;
}

export interface ForkOptions {
  /** Name of a bundle entry in `out/main`. */
  entry: "host" | "dirge" | "fetch";
  /** Name of the process in process lists. */
  name: string;
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /** V8 old-space limit in MiB. */
  memoryMb: number;
  /** What keeps it from the rest of the machine; absent only for code of ours. */
  wall?: Wall;
}

export interface SpawnOptions {
  /** A path, or a name that is looked up in the `PATH` of `env`. It is started directly, without a shell. */
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment; nothing is inherited. */
  env: Record<string, string>;
  /**
   * Which pipe carries the protocol. `private`: an extra file descriptor, whose number is in `PATCHBAY_WIRE_FD`, so
   * that plugin code may print to its output. `stdio`: standard input and output, for programs that can do nothing
   * else.
   */
  wire: "private" | "stdio";
  /** What keeps it from the rest of the machine; absent only for programs of ours. */
  wall?: Wall;
}

/** Where the store is. Made by the store, which alone knows what it says. */
export type StoreAddress = string & { readonly of: "store" };

/** The port to the machine. Two adapters: `shell/electron-platform.ts` and `platform/node-platform.ts`. */
export interface Platform {
  readonly shell: "desktop" | "browser" | "cli";
  readonly store: StoreAddress;
  readonly version: string;
  /** Folder with the built bundles (`out/main`), and with `resources/` and the built-in plugins beside it. */
  readonly bundleDir: string;
  readonly resourcesDir: string;
  /** The languages that the person's system prefers, the first one first, as tags such as `de-CH`. */
  languages(): readonly string[];
  /** Which walls stand here. Without them a `wall` holds only as far as Node's own permissions do. */
  walls(): WallReport;
  /** Looks anew which walls stand, at the next question. */
  forgetWalls(): void;
  readonly wallEvents: Emitter<WallEvents>;
  /** Tells what other programs try on this process, until the returned function is called. Absent for commands. */
  meddling?(told: (what: Meddling) => void): () => void;
  /** Runs a bundle of ours. */
  forkHost(options: ForkOptions): HostProcess;
  /** Runs any program. One that cannot be started is reported as an exit. */
  spawnHost(options: SpawnOptions): SpawnedHost;
  /** Opens an http(s) address in the person's browser. */
  openUrl(url: string): Promise<void>;
  /** Shows a notice of the operating system: something needs the person. `route`: the screen that a click opens. */
  notify(notification: { title: string; body: string; route?: string }): void;
  /** The person's downloads folder. Absent in the browser and on the command line, which hand files over themselves. */
  readonly downloads?: string;
  /**
   * Lets the person choose a file or folder in a dialog of the desktop. Resolves with its path, or null when they
   * cancel. Absent without a desktop.
   */
  choosePlace?(kind: PlaceKind): Promise<string | null>;
  /** How the person at this machine is asked; absent where a command has no screens behind it. */
  readonly person?: Person;
  /**
   * Wraps and unwraps the vault's data key with the keychain of the operating system. Absent where there is none, or
   * one that protects nothing.
   */
  readonly keychain?: Keychain;
}

/** A way to the person that neither a plugin nor a stolen token can stand in for. */
export type Person =
  /** The terminal in which Patchbay runs. Shows lines. */
  | { kind: "terminal"; show(lines: string): void }
  /** A dialog of the system. `by`: what asks. Resolves with whether the person agreed. */
  | { kind: "prompt"; confirm(act: PersonAct, by: "screen" | "program"): Promise<boolean> };

export interface Keychain {
  readonly name: string;
  wrap(key: Buffer): Promise<Buffer>;
  unwrap(wrapped: Buffer): Promise<Buffer>;
}

/** A typed `EventEmitter`, for services that announce changes. */
export type Emitter<Events extends Record<string, unknown[]>> = EventEmitter<Events>;
