import type { RecordEvent, SessionEntry } from "../../../contract/index.ts";
import { isoOf } from "../../base/clock.ts";
import { contentOf, resultOf, saidIn } from "./project-tool.ts";

/** The lines that an event adds to the session's file. */
export function transcriptOf(event: RecordEvent): SessionEntry[] {
  const { turnId } = event;
  const at = isoOf(event.at);
  switch (event.type) {
    case "message_received": {
      if (event.resumes) return [];
      const { id, text, caller, title, messageId, attachments, sorry, aside, by, prompt } = event;
      const user: SessionEntry = {
        type: "user",
        id,
        turnId,
        text,
        caller,
        ...(messageId !== undefined && { messageId }),
        ...(attachments !== undefined && { attachments }),
        ...(sorry !== undefined && { sorry }),
        ...(aside !== undefined && { aside }),
        ...(by !== undefined && { by }),
        ...(prompt && { prompt }),
        at,
      };
      return title === undefined ? [user] : [user, { type: "title", title, at }];
    }
    case "plugin_said": {
      const { id, owner } = event;
      return [{ type: "plugin", id, turnId, owner, said: saidIn(event), at }];
    }
    case "steered": {
      const { id, owner, text, newRun } = event;
      return [{ type: "steer", id, turnId, owner, text, ...(newRun && { newRun }), at }];
    }
    case "assistant_said": {
      const { messageId: id, text, toolCalls, raw, changedBy } = event;
      const changed = changedBy.length > 0 && { changedBy };
      const own = raw !== undefined && { raw };
      return [{ type: "assistant", id, turnId, text, toolCalls, at, ...changed, ...own }];
    }
    case "tool_ended": {
      const { id, toolCallId, tool, outcome } = event;
      const details = resultOf(event)?.details;
      const content = contentOf(event);
      return [
        {
          type: "tool_result",
          id,
          turnId,
          toolCallId,
          tool,
          outcome,
          content,
          ...(details !== undefined && { details }),
          at,
        },
      ];
    }
    case "tool_skipped": {
      const { id, toolCallId, tool, content, details } = event;
      return [
        {
          type: "tool_result",
          id,
          turnId,
          toolCallId,
          tool,
          outcome: "failed",
          content,
          ...(details !== undefined && { details }),
          at,
        },
      ];
    }
    case "turn_ended": {
      const { outcome, problem } = event;
      return [{ type: "turn_end", turnId, outcome, problem, at }];
    }
    case "turn_begun":
    case "effects_asked":
    case "hook_asked":
    case "hook_answered":
    case "problem":
    case "prompt_made":
    case "model_asked":
    case "model_waiting":
    case "model_again":
    case "model_speaking":
    case "model_answered":
    case "tool_called":
    case "tool_judged":
    case "tool_rewritten":
    case "approval_known":
    case "approval_asked":
    case "approval_answered":
    case "tool_started":
    case "tool_progress":
    case "tool_answered":
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
      return [];
  }
}
