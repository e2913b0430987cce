import type { StoredAttachment, ToolInfo } from "../../../../contract/index.ts";
import type { Clock } from "../../../base/clock.ts";
import type { ToolOutput } from "../../../runtimes/plugin-call.ts";

/** Takes a file that goes out with the answer to a chat. */
export type KeepForChat = (file: {
  name: string;
  mimeType: string;
  bytes: Buffer;
}) => Promise<StoredAttachment>;

/** A tool of Patchbay's own. */
export interface BuiltinTool {
  info: ToolInfo;
  /** Writes or runs something: asks, and is never open to channel users by a wide rule. */
  dangerous: boolean;
  /** Offered to people in chats alone. */
  inChatsOnly?: true;
  /** `signal` is aborted at the time limit. Throwing is failure. */
  execute(
    input: Record<string, unknown>,
    call: {
      workspace: string;
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
