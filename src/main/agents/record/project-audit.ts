import { isObject, type RecordEvent, type RecordEventOf } from "../../../contract/index.ts";
import { calledIn } from "./project-tool.ts";

/** A line of the audit, without its time. */
export interface AuditLine {
  kind: string;
  agentId: string;
  pluginKey?: string;
  [detail: string]: unknown;
}

/**
 * The audit line of an event; undefined for most events. @param turn all events of the turn, or of the single call, up
 * to this one
 */
export function auditOf(
  event: RecordEvent,
  turn: readonly RecordEvent[],
  place: { agentId: string; sessionId: string },
): AuditLine | undefined {
  const { agentId, sessionId } = place;
  switch (event.type) {
    case "tool_ended": {
      const { tool, owner, caller, ms, straight } = calledIn(turn, event);
      return {
        kind: "tool.called",
        agentId,
        ...(owner !== null && { pluginKey: owner }),
        tool,
        outcome: event.outcome,
        ...blockerOf(event),
        ...exitOf(event),
        ...(event.redacted && { redacted: event.redacted }),
        ...(straight && { straight }),
        sessionId,
        caller,
        ms: Math.round(ms * 100) / 100,
      };
    }
    case "approval_answered": {
      const { tool, owner } = calledIn(turn, event);
      const { status, scope, decidedBy } = event;
      return {
        kind: "approval.decided",
        agentId,
        ...(owner !== null && { pluginKey: owner }),
        tool,
        status,
        scope,
        sessionId,
        ...(decidedBy && { decidedBy }),
      };
    }
    case "hook_answered":
      if (event.decision !== "dropped") return undefined;
      return { kind: "message.dropped", agentId, pluginKey: event.owner, event: event.event, sessionId };
    case "effects_asked": {
      const kinds = Array.isArray(event.effects)
        ? event.effects.map((one: { kind: string }) => one.kind)
        : [];
      const asked = [...new Set(kinds)].filter((kind) => !toldOnly.has(kind));
      if (asked.length === 0) return undefined;
      return { kind: "plugin.asked", agentId, pluginKey: event.owner, asked, sessionId };
    }
    case "resumed": {
      const paused = turn.findLast((one) => one.type === "paused" && one.seq === event.paused);
      if (paused?.type !== "paused") return undefined;
      const { owner, where, title } = paused;
      return {
        kind: "turn.resumed",
        agentId,
        ...(owner !== null && { pluginKey: owner }),
        where,
        title,
        action: event.action,
        edited: event.edit !== undefined,
        sessionId,
        ...(event.by && { by: event.by }),
        ...(event.why && { why: event.why }),
      };
    }
    case "problem":
      if (event.owner === null || event.event === null) return undefined;
      return {
        kind: "hook.failed",
        agentId,
        pluginKey: event.owner,
        event: event.event,
        message: event.problem.message,
      };
    default:
      return undefined;
  }
}

/** Effects that the person reads in the conversation, and that do nothing else. */
const toldOnly = new Set(["notify", "entry", "customMessage"]);

/** The plugin whose hook blocked the call. */
function blockerOf({ outcome, problem }: RecordEventOf<"tool_ended">): { blockedBy?: string } {
  const owner = outcome === "vetoed" ? problem?.details?.owner : undefined;
  return typeof owner === "string" ? { blockedBy: owner } : {};
}

/** The exit code of the program that a tool ran, where there was one. */
function exitOf({ result, problem }: RecordEventOf<"tool_ended">): { exitCode?: number } {
  const ofResult: unknown = isObject(result) ? result.details : undefined;
  const details = isObject(ofResult) ? ofResult : problem?.details;
  const code = isObject(details) ? details.exitCode : undefined;
  return typeof code === "number" ? { exitCode: code } : {};
}
