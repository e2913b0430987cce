import { createRequire } from "node:module";

/** What we use of `@anthropic-ai/sandbox-runtime`, whose manager there is one of in a process. */
export interface SandboxLibrary {
  initialize(config: LibraryConfig, ask: undefined, logMonitor: boolean): Promise<void>;
  /** Holds for what is wrapped from now on. */
  updateConfig(config: LibraryConfig): void;
  /** @returns a command for a shell, which runs `command` in a sandbox; it may be preceded by `exec` */
  wrapWithSandbox(
    command: string,
    shell: string,
    custom: { filesystem: SandboxFiles },
    signal: undefined,
    options: { commandId: string; commandText: string },
  ): Promise<string>;
  /** To be called for each wrapped command when it has ended. */
  cleanupAfterCommand(): void;
  reset(): Promise<void>;
  getSandboxViolationStore(): {
    subscribe(listener: (violations: readonly Violation[]) => void): () => void;
    getTotalCount(): number;
  };
  /** On Linux: the socket through which a sandbox reaches the proxy. */
  getLinuxHttpSocketPath(): string | undefined;
  getLinuxSocksSocketPath(): string | undefined;
}

/** A path as it is written, whatever characters it has. */
export interface LiteralPath {
  path: string;
  literal: true;
}

/** Reads are open where `denyRead` does not close them, writes closed where `allowWrite` does not open them. */
export interface SandboxFiles {
  denyRead: LiteralPath[];
  allowRead: LiteralPath[];
  allowWrite: LiteralPath[];
  denyWrite: LiteralPath[];
}

export interface LibraryConfig {
  network: {
    allowedDomains: string[];
    deniedDomains: string[];
    strictAllowlist: boolean;
    httpProxyPort: number;
    socksProxyPort: number;
    /** macOS: sockets in the file system that can be connected to; a folder stands for those in it. */
    allowUnixSockets?: string[];
    /** Linux knows all or none. */
    allowAllUnixSockets?: boolean;
  };
  filesystem: SandboxFiles & { allowGitConfig: boolean };
  ripgrep?: { command: string };
}

/** What a sandbox refused, in the words of the system. */
export interface Violation {
  line: string;
  /** What was given as `commandText`. */
  command?: string;
}

const requireHere = createRequire(import.meta.url);
const name = "@anthropic-ai/sandbox-runtime";

/** Loads it: not before a wall is made with it, because that takes a tenth of a second. Throws when it is not installed. */
export function loadLibrary(): SandboxLibrary {
  return requireHere("@anthropic-ai/sandbox-runtime").SandboxManager;
}

/** Its version; null when it is not installed. */
export function libraryVersion(): string | null {
  try {
    const entry = requireHere.resolve(name);
    const folder = entry.slice(0, entry.lastIndexOf(name) + name.length);
    return String(requireHere(`${folder}/package.json`).version);
  } catch {
    return null;
  }
}
