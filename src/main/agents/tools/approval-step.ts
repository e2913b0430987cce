import type { Approvals } from "../approvals.ts";
import { digestOf } from "./digest.ts";
import { type Ending, type FoundCall, refused } from "./tool-call.ts";

/**
 * Asks the owner whether a call may run with exactly its present arguments, unless that was said already. Undefined
 * when it may.
 */
export async function askOwner(call: FoundCall, approvals: Approvals): Promise<Ending | undefined> {
  const { request } = call;
  // From here on nobody else holds these arguments: what is shown is what runs.
  call.args = structuredClone(call.args);
  const digest = digestOf(request.tool, call.args);
  const inAdvance = request.approved === true && request.caller.kind === "owner";
  if (inAdvance && digest === digestOf(request.tool, request.input)) {
    call.approval = { id: "in-advance", status: "allowed", scope: "once", waitedMs: 0 };
    return undefined;
  }
  if (approvals.grantedForSession(request.agentId, request.sessionId, request.tool, request.caller)) {
    call.approval = { id: "session", status: "allowed", scope: "session", waitedMs: 0 };
    return undefined;
  }
  const begin = performance.now();
  const decided = await approvals.request(
    {
      agentId: request.agentId,
      sessionId: request.sessionId,
      turnId: request.turnId,
      toolCallId: call.id,
      tool: request.tool,
      owner: call.owner,
      arguments: structuredClone(call.args),
      changedBy: call.changedBy,
      caller: request.caller,
    },
    request.signal,
    request.onApproval,
  );
  request.onApproval?.(decided);
  const waitedMs = performance.now() - begin;
  call.approval = { id: decided.id, status: decided.status, scope: decided.scope, waitedMs };
  if (decided.status === "allowed" && digest === digestOf(request.tool, call.args)) return undefined;
  const why = decided.reason ? `: ${decided.reason.replace(/\.$/, "")}` : "";
  const outcome = decided.status === "timed_out" ? "timed_out" : "rejected";
  return refused(outcome, "TOOL_REJECTED", `The call of ${call.found.info.title} was not approved${why}.`);
}
