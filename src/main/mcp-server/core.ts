import type { ContractRouterClient } from "@orpc/contract";
import type { Contract } from "../../contract/index.ts";

type CoreClient = Pick<
  ContractRouterClient<Contract>,
  "access" | "agents" | "app" | "approvals" | "commands" | "dialogs" | "resources" | "tools"
>;

/** What the tools of an agent are served from: the contract, in this process or over a wire. */
export interface Core {
  readonly client: CoreClient;
  /** What one call uses: what the person confirms holds for it. */
  clientOfCall(): CoreClient;
  /** True: this process holds the core, so nobody else can answer a question. */
  readonly alone: boolean;
  /** Aborted when it is closed. */
  readonly over: AbortSignal;
  /** Says that it does not answer any more. */
  lost(): void;
}

/** Where a door gets its core from. */
export interface CoreSource {
  /** Runs something with the core, which stays open until it has ended. @throws PatchbayError when there is none to be had */
  use<T>(work: (core: Core) => Promise<T>): Promise<T>;
}
