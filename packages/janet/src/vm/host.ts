/** What a program may reach outside of the engine. A capability that is absent is denied: its functions raise a Janet error. */
export interface Capabilities {
  /** `slurp`, `file/*` for reading, `os/stat`, `os/dir`, modules from files. Given the absolute path; false denies. */
  readFiles?(path: string): boolean;
  /** `spit`, `file/open` for writing, `os/mkdir`, `os/rm`, `os/rename`, … */
  writeFiles?(path: string): boolean;
  /**
   * `os/execute`, `os/spawn`, `os/shell`, … `words`: the command, the first the absolute path of what is started, or a bare name that
   * the system looks up in the `PATH` of `environment`, which the program is given.
   */
  subprocess?(words: readonly string[], environment: Readonly<Record<string, string | undefined>>): boolean;
  /** `net/*`. */
  network?(host: string, port: string): boolean;
  /** `os/getenv`, `os/environ`, `os/setenv`. `name` null: the whole environment. */
  environment?(name: string | null): boolean;
  /** `os/exit`. Absent: a catchable error. */
  exit?(status: number): void;
}

/** Where an engine's output goes and what it may reach. */
export interface Host {
  /** `sandbox` takes some away. */
  capabilities: Capabilities;
  /** Raw bytes (one char each) of `print` and friends when `:out` is not bound. */
  stdout(bytes: string): void;
  stderr(bytes: string): void;
  /** Sees that what was written has left, before a program is started that shares the streams. */
  flush?(): void;
  /** One line of standard input with its newline, or null at the end. Absent: there is none. */
  readLine?(): Promise<string | null>;
  /** Programs that are started share the process's own standard streams; else their output goes to `stdout` and `stderr`. */
  readonly sharesStreams?: boolean;
  /** The working directory of relative paths. `os/cd` changes it. */
  cwd: string;
  /** As `os/args` and `(dyn :args)`. */
  readonly args: readonly string[];
}
