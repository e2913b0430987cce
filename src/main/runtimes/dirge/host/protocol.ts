import type { Grants } from "../../../../contract/index.ts";
import type * as kit from "../../hosted/protocol.ts";

/** The payloads of the kit's protocol for the host of dirge's plugins. */
export interface DirgePayloads extends kit.Payloads {
  start: DirgeStart;
}
export type ToHost = kit.ToHost<DirgePayloads>;
export type { HostCall, HostContributions, HostRequest } from "../../hosted/protocol.ts";

export interface DirgeStart {
  /** dirge's own name of the plugin. */
  id: string;
  dir: string;
  /** Names of the source files in `dir`, in the order in which they are loaded. */
  files: string[];
  /** Absolute path of the agent's workspace folder. */
  workspace: string;
  autoStart: boolean;
  /** The environment that the plugin sees, secrets resolved. */
  variables: Record<string, string>;
  /** What it may reach. The wall round this process holds it to the same. */
  grants: Grants;
}

/** The payload of a call of the kind `hook`: the function for a hook, with its context. */
export interface HookPayload {
  ctx: Record<string, string | number>;
  limitMs: number;
}

/** The payload of a call of the kind `hook` whose id is {@link PREPARE}. */
export interface PreparePayload {
  tool: string;
  /** The arguments as JSON text. */
  args: string;
  limitMs: number;
}

/** Names the call that prepares the arguments of a tool; no hook of dirge is called so. */
export const PREPARE = "prepare-arguments";
