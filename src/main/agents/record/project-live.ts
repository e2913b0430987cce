import type { RecordEvent, TurnEvent } from "../../../contract/index.ts";
import { isoOf } from "../../base/clock.ts";
import { between, saidIn, toolTraceOf } from "./project-tool.ts";
import { modelCallOf } from "./project-traces.ts";

/**
 * What those who watch a session see of an event; undefined for events that are only stored. @param turn all events of
 * the turn up to this one
 */
export function liveOf(event: RecordEvent, turn: readonly RecordEvent[]): TurnEvent | undefined {
  const { turnId } = event;
  switch (event.type) {
    case "message_received": {
      const { sessionId, text, attachments, aside, by, prompt } = event;
      const more = {
        ...(attachments && { attachments }),
        ...(aside && { aside }),
        ...(by !== undefined && { by }),
        ...(prompt && { prompt }),
      };
      return { type: "turn_started", turnId, sessionId, text, ...more, at: isoOf(event.at) };
    }
    case "plugin_said":
      return { type: "plugin_said", turnId, id: event.id, owner: event.owner, said: saidIn(event) };
    case "steered":
      return { type: "steered", turnId, id: event.id, owner: event.owner, text: event.text };
    case "model_answered":
      return { type: "model_call", turnId, call: modelCallOf(event, turn) };
    case "model_waiting": {
      const { type, attempt, ms, problem } = event;
      return { type, turnId, attempt, ms, problem, until: isoOf(event.at + ms) };
    }
    case "model_again":
      return { type: "model_again", turnId, attempt: event.attempt };
    case "assistant_said": {
      const { messageId, text, changedBy } = event;
      const changed = changedBy.length > 0 && { changedBy };
      return text ? { type: "message", turnId, messageId, text, ...changed } : undefined;
    }
    case "tool_called": {
      const { toolCallId, tool, title, owner, arguments: input } = event;
      return { type: "tool_started", turnId, toolCallId, tool, title, owner, arguments: input };
    }
    case "tool_progress":
      return { type: "tool_progress", turnId, toolCallId: event.toolCallId, text: event.text };
    case "approval_asked": {
      const { toolCallId, approvalId } = event;
      return { type: "approval_requested", turnId, toolCallId, approvalId };
    }
    case "approval_answered": {
      const { toolCallId, approvalId, status } = event;
      return { type: "approval_resolved", turnId, toolCallId, approvalId, status };
    }
    case "tool_ended": {
      const { toolCallId, spanId } = event;
      return { type: "tool_ended", turnId, toolCallId, trace: toolTraceOf(turn, spanId) };
    }
    case "turn_ended": {
      const { outcome, text, problem } = event;
      const ms = between(turn[0]?.at ?? event.at, event.at);
      return { type: "turn_ended", turnId, outcome, text, problem, ms };
    }
    case "turn_begun":
    case "effects_asked":
    case "hook_asked":
    case "hook_answered":
    case "problem":
    case "prompt_made":
    case "model_asked":
    case "model_speaking":
    case "tool_judged":
    case "tool_rewritten":
    case "approval_known":
    case "tool_started":
    case "tool_answered":
    case "tool_skipped":
    case "log":
    case "dialog_asked":
    case "dialog_answered":
    case "model_lent":
    case "plugin_ran":
    case "offer_changed":
    case "stop_asked":
    case "paused":
    case "resumed":
    case "left_out":
      return undefined;
  }
}
