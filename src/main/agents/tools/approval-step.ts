import { createHash } from "node:crypto";
import { withDefaults } from "@patchbay/plugin-sdk";
import { isObject } from "../../../contract/is-object.ts";
import type { Approvals } from "../approvals.ts";
import { type Ending, type FoundCall, refused } from "./tool-call.ts";

/** Characters of a tool's description that stand on its question. */
const mostWords = 300;

/** Who decides about calls that wait for the owner. */
export type ApprovalDesk = Pick<Approvals, "request" | "grantedForSession">;

/**
 * Asks the owner whether a call may run with exactly its present arguments. Not asked again when the call was approved
 * in advance or the tool is allowed for the session. Returns undefined when the call may run.
 */
export async function askOwner(call: FoundCall, approvals: ApprovalDesk): Promise<Ending | undefined> {
  const { request, span, id: toolCallId } = call;
  // Copied, so that nobody can change the arguments between what the owner sees and what runs.
  call.args = structuredClone(call.args);
  const digest = digestOf(request.tool, call.args);
  const inAdvance = request.approved === true && request.caller.kind === "owner";
  const allowed = withDefaults(call.found.info.parameters, request.input);
  if (inAdvance && digest === digestOf(request.tool, allowed)) {
    span.record({ type: "approval_known", toolCallId, basis: "in-advance" });
    return undefined;
  }
  if (approvals.grantedForSession(request.agentId, request.sessionId, request.tool, request.caller)) {
    span.record({ type: "approval_known", toolCallId, basis: "session" });
    return undefined;
  }
  if (request.asksNobody) {
    const problem = request.asksNobody(call.found.info.title).toProblem();
    return { outcome: "rejected", output: null, problem };
  }
  const ours = call.found.info.reading ?? call.found.info.passes;
  const decided = await approvals.request(
    {
      agentId: request.agentId,
      sessionId: request.sessionId,
      turnId: request.turnId,
      toolCallId,
      tool: request.tool,
      title: call.found.info.title,
      owner: call.owner,
      does: call.found.info.description.slice(0, mostWords).toWellFormed(),
      ...(ours && { ours }),
      arguments: structuredClone(call.args),
      changedBy: call.changedBy,
      ...(call.editedByPerson && { editedByPerson: structuredClone(call.editedByPerson) }),
      caller: request.caller,
    },
    request.signal,
    (asked) => {
      span.record({ type: "approval_asked", toolCallId, approvalId: asked.id });
      request.onApproval?.(asked);
    },
  );
  request.onApproval?.(decided);
  const { id: approvalId, status, scope, decidedBy, reason } = decided;
  if (status === "waiting") throw new Error("an approval was given back undecided");
  span.record({ type: "approval_answered", toolCallId, approvalId, status, scope, decidedBy, reason });
  if (decided.status === "allowed" && digest === digestOf(request.tool, call.args)) return undefined;
  const why = decided.reason ? `: ${decided.reason.replace(/\.$/, "")}` : "";
  const outcome = decided.status === "timed_out" ? "timed_out" : "rejected";
  return refused(outcome, "TOOL_REJECTED", `The call of ${call.found.info.title} was not approved${why}.`);
}

/** A digest over arguments that does not depend on the order of their keys. */
export function digestOf(tool: string, input: Record<string, unknown>): string {
  return createHash("sha256").update(tool).update("\0").update(canonical(input)).digest("hex");
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    isObject(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}
