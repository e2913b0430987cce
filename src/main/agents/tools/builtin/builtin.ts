import type { StoredAttachment, ToolInfo } from "../../../../contract/index.ts";
import type { Clock } from "../../../base/clock.ts";
import type { Attempt, NetworkJudge } from "../../../platform/walls/wall.ts";
import type { ToolOutput } from "../../../runtimes/plugin-call.ts";

/** Stores a file that is sent to a chat with the turn's answer. */
export type KeepForChat = (file: {
  name: string;
  mimeType: string;
  bytes: Buffer;
}) => Promise<StoredAttachment>;

/** A tool of Patchbay's own. */
export interface BuiltinTool {
  info: ToolInfo;
  /**
   * True for a tool that writes or runs something: the owner is asked, and a rule with a wildcard never opens it to
   * channel users.
   */
  dangerous: boolean;
  /** Offered to people in chats alone. */
  inChatsOnly?: true;
  /** `signal` is aborted at the time limit. Throwing is failure. */
  execute(
    input: Record<string, unknown>,
    call: {
      workspace: string;
      /** Patchbay's own folder, which no tool may touch but for a workspace in it. */
      root: string;
      /** The files of the skills that the agent's running plugins bring. */
      skills(): readonly string[];
      /** Decides what a command reaches. */
      network: NetworkJudge;
      /** Told of what a wall refused. */
      refused(attempt: Attempt): void;
      signal: AbortSignal;
      clock: Clock;
      onUpdate(text: string): void;
      keepForChat?: KeepForChat | undefined;
    },
  ): Promise<ToolOutput>;
}

export function builtinInfo(
  name: string,
  description: string,
  readOnly: boolean,
  properties: Record<string, unknown>,
  required: string[],
): ToolInfo {
  const parameters = { type: "object", properties, required, additionalProperties: false };
  return { name, title: name, description, parameters, readOnly, owner: null };
}

export function textOutput(text: string, details?: unknown): ToolOutput {
  return { content: [{ type: "text", text }], ...(details !== undefined && { details }) };
}
