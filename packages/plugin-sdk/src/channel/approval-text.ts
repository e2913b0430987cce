import type { ChannelApproval } from "../channel-agent.ts";
import type { ChannelButton } from "./transport.ts";
import type { ChatWords } from "./words/english.ts";

export type ApprovalDecision = "allow" | "refuse";

/** Data of a button: `pb:a:` (allow) or `pb:r:` (refuse) and the request id, at most 64 bytes in all. */
const buttonPattern = /^pb:([ar]):(.{1,58})$/s;
/** A command; `!` is for platforms whose programs keep what begins with a slash for themselves. */
const commandPattern = /^[/!](approve|genehmigen|refuse|ablehnen)(?:@\S+)?\s+#?(\S{1,64})\s*$/i;
/** The same as a plain sentence, in each language of ours. It is a decision only when a request of that number waits. */
const plainPattern =
  /^(approve|yes|genehmigen|erlauben|ja|refuse|no|ablehnen|nein)[,:]?\s+#?(\S{1,64}?)[.!]?$/i;
const allowing = ["approve", "yes", "genehmigen", "erlauben", "ja"];

export function approvalButtons({ shortId }: { shortId: string }, words: ChatWords): ChannelButton[] {
  return [
    { label: words.allow, data: `pb:a:${shortId}`, style: "primary" },
    { label: words.refuse, data: `pb:r:${shortId}`, style: "danger" },
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
  const allows = allowing.includes(word.toLowerCase());
  return { decision: allows ? "allow" : "refuse", request, plain: command === null };
}

export function askingText(approval: ChannelApproval, buttons: boolean, words: ChatWords): string {
  const { shortId, tool, whole } = approval;
  const asked = `${words.asks(tool, shortId)}\n${approval.arguments}`;
  if (whole === false) return `${asked}\n${words.tooLongToShow(shortId)}`;
  return buttons ? asked : `${asked}\n${words.howToAnswer(shortId)}`;
}
