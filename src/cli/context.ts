import type { ContractRouterClient } from "@orpc/contract";
import type { Contract } from "../contract/index.ts";
import type { StoreAddress } from "../main/platform/platform.ts";
import type { Output } from "./terminal/output.ts";
import type { Terminal } from "./terminal/terminal.ts";

export type Client = ContractRouterClient<Contract>;

/** The core that a command talks to: a running app, or one opened for this command alone. */
export interface Connection {
  readonly client: Client;
  /** True when this process holds the core itself: nobody else can answer a question then. */
  readonly alone: boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** False for a command that makes an agent: in a new home there is then no other beside it. Default: true. */
  firstAgent?: boolean;
}

/** What every command gets. */
export interface CliContext {
  readonly output: Output;
  readonly terminal: Terminal;
  readonly store: StoreAddress;
  readonly cwd: string;
  readonly env: Record<string, string | undefined>;
  /** Aborted on Ctrl+C or when the system asks the process to end. */
  readonly signal: AbortSignal;
  connect(options?: ConnectOptions): Promise<Connection>;
}

/** What a command ends with: 0 done, 1 failed. Undefined means done. */
export type ExitCode = 0 | 1;
export type Action = (
  context: CliContext,
  client: Client,
  connection: Connection,
) => Promise<ExitCode | undefined>;
