import type { ChannelApproval, ChannelApprovalOutcome } from "../channel-agent.ts";
import type { ChannelButton } from "./transport.ts";

export type ApprovalDecision = "allow" | "refuse";

/** Data of a button: `pb:a:` (allow) or `pb:r:` (refuse) and the request id, at most 64 bytes in all. */
const buttonPattern = /^pb:([ar]):(.{1,58})$/s;
/** A command; `!` is for platforms whose programs keep what begins with a slash for themselves. */
const commandPattern = /^[/!](approve|refuse)(?:@\S+)?\s+#?(\S{1,64})\s*$/i;
/** The same as a plain sentence. It is a decision only when a request of that number waits. */
const plainPattern = /^(approve|yes|refuse|no)[,:]?\s+#?(\S{1,64}?)[.!]?$/i;

export function approvalButtons({ shortId }: { shortId: string }): ChannelButton[] {
  return [
    { label: "Allow", data: `pb:a:${shortId}`, style: "primary" },
    { label: "Refuse", data: `pb:r:${shortId}`, style: "danger" },
  ];
}

/**
 * The decision and the request in the data of a button or in what somebody typed; null when the text is neither. `plain`:
 * it could as well be an ordinary sentence.
 */
export function decisionOf(
  text: string,
): { decision: ApprovalDecision; request: string; plain: boolean } | null {
  const [, button, pressed] = buttonPattern.exec(text) ?? [];
  if (button !== undefined && pressed !== undefined) {
    return { decision: button === "a" ? "allow" : "refuse", request: pressed, plain: false };
  }
  const typed = text.trim();
  const command = commandPattern.exec(typed);
  const [, word, request] = command ?? plainPattern.exec(typed) ?? [];
  if (word === undefined || request === undefined) return null;
  const allows = ["approve", "yes"].includes(word.toLowerCase());
  return { decision: allows ? "allow" : "refuse", request, plain: command === null };
}

export function askingText(approval: ChannelApproval, buttons: boolean): string {
  const { shortId } = approval;
  const how = howToAnswer(approval, buttons);
  return `The agent wants to use ${approval.tool} (request ${shortId}).\n${approval.arguments}${how}`;
}

function howToAnswer({ shortId, whole }: ChannelApproval, buttons: boolean): string {
  if (whole === false)
    return `\nThis is too long to be shown here whole. Allow it in Patchbay, or answer refuse ${shortId}.`;
  return buttons ? "" : `\nAnswer approve ${shortId} or refuse ${shortId}.`;
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
