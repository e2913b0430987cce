import type { Approval, ApprovalDecision } from "../../contract/index.ts";
import { cleanLine, exactText } from "../../contract/shown/clean-text.ts";
import { wholeArguments } from "../../contract/shown/whole-arguments.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * A waiting call for a terminal: what the tool does, and every argument whole. The long ones come first, so that paths and
 * commands stand right above the question.
 */
export function callWords(approval: Approval): string {
  const { does = "", owner, title } = approval;
  const words = cleanLine(does).trim();
  const about = owner === null ? `  ${words}` : `  ${owner} says of it: “${words}”`;
  const shown = wholeArguments(approval.arguments).reverse();
  const lines = shown.map(({ name, text }) => {
    const size = text.length > 1_000 ? ` (${text.length.toLocaleString("en")} characters)` : "";
    return text.includes("\n")
      ? `  ${name}${size}:\n${text.replace(/^/gm, "    ")}`
      : `  ${name}${size}: ${text}`;
  });
  return [
    ...(words === "" ? [] : [about]),
    ...(lines.length === 0 ? [`  ${exactText(title)} gets no arguments.`] : lines),
  ].join("\n");
}

/** What "Always" will store. */
export function alwaysWords({ title, agentId, caller }: Approval): string {
  const who = caller?.kind === "channel" ? ` when ${caller.userId} on ${caller.channel} wants it` : "";
  return `Always: every later call of ${title} for ${agentId}${who}, whatever the arguments`;
}

/** Asks at the terminal whether a call may run, and for how long that holds. What "Always" will store stands in its answer. */
export async function askApproval(
  terminal: Pick<Terminal, "choose">,
  approval: Approval,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const options = [
    { value: "once", label: "Yes, this time", keys: ["y", "yes"] },
    { value: "session", label: "Yes, in this conversation", keys: ["s"] },
    { value: "always", label: alwaysWords(approval), keys: ["a"] },
    { value: "no", label: "No", keys: ["n"] },
  ];
  const scope = await terminal.choose("Allow it?", options, signal, { default: "no" });
  return scope === "once" || scope === "session" || scope === "always"
    ? { decision: "allow", scope }
    : { decision: "deny" };
}
