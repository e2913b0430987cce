import type { ChannelApproval, ChannelApprovalOutcome } from "../channel-agent.ts";
import type { ChannelButton } from "./transport.ts";

export type ApprovalDecision = "allow" | "refuse";

/** Data of a button: `pb:a:` (allow) or `pb:r:` (refuse) and the request id, at most 64 bytes in all. */
const buttonPattern = /^pb:([ar]):(.{1,58})$/s;
const commandPattern = /^\/(approve|refuse)(?:@\S+)?\s+#?(\S{1,64})\s*$/i;

export function approvalButtons({ shortId }: { shortId: string }): ChannelButton[] {
  return [
    { label: "Allow", data: `pb:a:${shortId}`, style: "primary" },
    { label: "Refuse", data: `pb:r:${shortId}`, style: "danger" },
  ];
}

/** The decision and the request in the data of a button or in a typed command; null when the text is neither. */
export function decisionOf(text: string): { decision: ApprovalDecision; request: string } | null {
  const [, button, pressed] = buttonPattern.exec(text) ?? [];
  if (button !== undefined && pressed !== undefined) {
    return { decision: button === "a" ? "allow" : "refuse", request: pressed };
  }
  const [, word, typed] = commandPattern.exec(text.trim()) ?? [];
  if (word === undefined || typed === undefined) return null;
  return { decision: word.toLowerCase() === "approve" ? "allow" : "refuse", request: typed };
}

export function askingText(approval: ChannelApproval, buttons: boolean): string {
  const { shortId } = approval;
  const how = howToAnswer(approval, buttons);
  return `The agent wants to use ${approval.tool} (request ${shortId}).\n${approval.arguments}${how}`;
}

function howToAnswer({ shortId, whole }: ChannelApproval, buttons: boolean): string {
  if (whole === false)
    return `\nThis is too long to be shown here whole. Allow it in Patchbay, or answer /refuse ${shortId}.`;
  return buttons ? "" : `\nAnswer /approve ${shortId} or /refuse ${shortId}.`;
}

const outcomes: Record<ChannelApprovalOutcome, string> = {
  allowed: "allowed",
  refused: "refused",
  expired: "expired, so it was refused",
  cancelled: "no longer needed",
};

export function settledText(tool: string, shortId: string, outcome: ChannelApprovalOutcome): string {
  return `Request ${shortId} (${tool}): ${outcomes[outcome]}.`;
}
