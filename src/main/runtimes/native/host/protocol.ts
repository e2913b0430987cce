import type { SetupReason } from "../../../../contract/index.ts";
import type { ChannelAccess } from "../../channel-door.ts";
import type * as kit from "../../hosted/protocol.ts";
import type { ExportFacts } from "../manifest/manifest-facts.ts";

/** The payloads of the kit's protocol for native's host. */
export interface NativePayloads {
  inspect: { dir: string };
  start: HostStart;
  setup: HostSetup;
  facts: ExportFacts;
}
export type ToHost = kit.ToHost<NativePayloads>;
export type FromHost = kit.FromHost<NativePayloads>;
export type {
  HostCall,
  HostContributions,
  HostRequest,
  HostSetupCall,
  HostTool,
} from "../../hosted/protocol.ts";

export interface HostStart {
  dir: string;
  agentId: string;
  /** Absolute path of the agent's workspace folder. */
  workspace: string;
  /** Settings with secrets resolved: the wrapper, or the flat object when `flatConfig`. */
  config: Record<string, unknown>;
  /** The plugin's schema and `parseConfig` describe the object of its only capability, not the wrapper. */
  flatConfig: boolean;
  secrets: Record<string, string>;
  /** Given to channels alone. */
  channel?: ChannelAccess;
  /** Milliseconds a hook may take when its subscription names no limit. */
  hookMs: number;
  /** Milliseconds that undoing a failed start may take. */
  stopMs: number;
}

/** Opens the plugin's own setup; its capabilities are not started. */
export interface HostSetup {
  dir: string;
  agentId: string;
  reason: SetupReason;
  language?: string;
  flatConfig: boolean;
}

/** Largest runtime state of an instance: characters of its JSON. */
export const MAX_RUNTIME_STATE = 16 * 1024;
/** Longest log line; the rest is cut. */
export const MAX_LOG_TEXT = 16 * 1024;
/** Most tools of one plugin. */
export const MAX_TOOLS = 64;
/** Longest `<namespace>__<tool>`: what model providers accept. */
export const MAX_TOOL_NAME = 64;
