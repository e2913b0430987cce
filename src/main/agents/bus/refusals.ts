import { PatchbayError } from "../../../contract/index.ts";
import type { RequiredHooks } from "../ports.ts";
import type { Span } from "../record/recorder.ts";
import type { LiveHook } from "./hook-index.ts";
import type { HookAnswer } from "./hook-runner.ts";

/** Whether a veto ends with this answer of a hook. */
export function refuses<P>(
  outcome: HookAnswer<P>,
  { failureMode }: LiveHook,
): outcome is Extract<HookAnswer<P>, { kind: "denied" | "failed" }> {
  return outcome.kind === "denied" || (outcome.kind === "failed" && failureMode === "fail");
}

/** The failure of what a hook that must not fail has blocked. */
export function blocked(owner: string, event: string, reason: string): PatchbayError {
  return new PatchbayError("HOOK_BLOCKED", `The plugin ${owner} blocked ${event}: ${reason}.`, {
    details: { owner, event, reason },
  });
}

/** Why a required hook was not asked, to be put into a sentence. */
export function whyMissing({ unsubscribed }: RequiredHooks): string {
  return unsubscribed ? "has not subscribed to this" : "not running";
}

/** Records that a required hook was not asked. */
export function recordMissing(around: Span, event: string, absent: RequiredHooks, payload: unknown): void {
  const span = around.child();
  const hook = { event, owner: absent.owner, hookId: "required" };
  span.record({ type: "hook_asked", ...hook, payload });
  span.record({
    type: "hook_answered",
    ...hook,
    decision: "not_running",
    ...(absent.unsubscribed && { reason: whyMissing(absent) }),
  });
}
