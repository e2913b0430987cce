import type { Approval, TurnEvent } from "../../../contract/index.ts";
import type { TurnAnswer } from "../../agents/channels/answers.ts";
import type { ChannelEvent } from "./session-events.ts";

/** Characters of a tool's answer that are passed on. */
const shownResult = 4_000;

/** The event that channel packages get for an event of a turn; undefined for those that they do not listen for. */
export function channelEventOf(
  event: TurnEvent,
  approvalOf: (id: string) => Approval | undefined,
): ChannelEvent | undefined {
  switch (event.type) {
    case "thinking_delta":
      return { name: "thinking_delta", data: { text: event.text } };
    case "thinking":
      return { name: "thinking_final", data: { text: event.text } };
    case "tool_started":
      return {
        name: "tool_call",
        data: { tool: event.tool, toolCallId: event.toolCallId, args: event.arguments },
      };
    case "tool_ended": {
      const { tool, outcome, result } = event.trace;
      const text = result?.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return {
        name: "tool_result",
        data: {
          tool,
          toolCallId: event.toolCallId,
          isError: outcome !== "executed",
          ...(text && { text: text.slice(0, shownResult) }),
        },
      };
    }
    case "approval_requested": {
      const approval = approvalOf(event.approvalId);
      return {
        name: "approval_requested",
        data: {
          ...resource(event, approval),
          shortId: Number(approval?.shortId ?? 0),
          args: approval?.arguments,
          expiresAt: approval?.expiresAt,
        },
      };
    }
    case "approval_resolved":
      return {
        name: "approval_resolved",
        data: {
          ...resource(event, approvalOf(event.approvalId)),
          decision: decisions[event.status] ?? "cancelled",
        },
      };
    default:
      return undefined;
  }
}

/** The files of an answer; their bytes are fetched by these ids. */
export function attachmentEvents({ attachments = [], turnId }: TurnAnswer): ChannelEvent[] {
  return attachments.map(({ name, mimeType, data }, index) => ({
    name: "attachment",
    data: {
      attachmentId: `${turnId}.${index}`,
      name,
      mimeType,
      kind: kindOf(mimeType),
      size: Buffer.byteLength(data, "base64"),
    },
  }));
}

export function kindOf(mimeType: string): "image" | "audio" | "video" | "document" {
  const kind = mimeType.split("/")[0];
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
}

function resource(event: { approvalId: string; toolCallId: string }, approval: Approval | undefined) {
  return {
    requestId: event.approvalId,
    resourceType: "tool",
    resourceKey: approval?.tool ?? "",
    toolCallId: event.toolCallId,
    mode: "realtime",
  };
}

const decisions: Record<string, string> = {
  allowed: "approved",
  denied: "rejected",
  timed_out: "timed_out",
  cancelled: "cancelled",
};
