import type { RecordEvent } from "../../../../../contract/index.ts";
import { attributes, type KeyValue } from "./attributes.ts";
import { nanos } from "./ids.ts";

export interface OtlpEvent {
  timeUnixNano: string;
  name: string;
  attributes?: KeyValue[];
}

/** What happened at a moment of a span, without words of others unless `contents` says so. */
export function eventsIn(events: readonly RecordEvent[], contents: boolean): OtlpEvent[] {
  return events.flatMap((event) => {
    const told = toldOf(event, contents);
    if (!told) return [];
    const [name, given] = told;
    const known = attributes(given);
    return [{ timeUnixNano: nanos(event.at), name, ...(known.length > 0 && { attributes: known }) }];
  });
}

type Told = [name: string, given: Parameters<typeof attributes>[0]];

function toldOf(event: RecordEvent, contents: boolean): Told | undefined {
  const words = (text: string | undefined) => (contents ? text : undefined);
  switch (event.type) {
    case "log":
      return [
        "patchbay.log",
        {
          "patchbay.plugin": event.owner,
          "patchbay.log.level": event.level,
          "patchbay.log.origin": event.origin,
          "patchbay.log.text": words(event.text),
        },
      ];
    case "problem":
      return [
        "exception",
        {
          "exception.type": event.problem.code,
          "exception.message": words(event.problem.message),
          "patchbay.plugin": event.owner,
          "patchbay.hook.event": event.event,
        },
      ];
    case "plugin_ran":
      return [
        `patchbay.plugin.${event.what}`,
        {
          "patchbay.plugin": event.owner,
          "patchbay.plugin.version": event.version,
          "patchbay.plugin.stop_reason": event.reason,
          "error.type": event.problem?.code,
          "patchbay.plugin.exit_code": numberIn(event.problem?.details, "exitCode"),
          "patchbay.plugin.signal": textIn(event.problem?.details, "signal"),
          "exception.message": words(event.problem?.message),
        },
      ];
    case "model_lent":
      return [
        "patchbay.model.lent",
        {
          "patchbay.plugin": event.owner,
          "gen_ai.response.model": event.model,
          "gen_ai.usage.input_tokens": event.usage?.input,
          "gen_ai.usage.output_tokens": event.usage?.output,
          "error.type": event.problem?.code,
        },
      ];
    case "tool_rewritten":
      return ["patchbay.tool.rewritten", { "patchbay.changed_by": event.changedBy }];
    case "approval_known":
      return ["patchbay.approval.known", { "patchbay.approval.basis": event.basis }];
    case "tool_progress":
      return ["patchbay.tool.progress", { "patchbay.tool.progress": words(event.text) }];
    case "tool_skipped":
      return [
        "patchbay.tool.skipped",
        { "gen_ai.tool.name": event.tool, "gen_ai.tool.call.id": event.toolCallId },
      ];
    case "steered":
      return ["patchbay.steered", { "patchbay.plugin": event.owner, "patchbay.text": words(event.text) }];
    case "plugin_said":
      return ["patchbay.plugin.said", { "patchbay.plugin": event.owner }];
    case "effects_asked":
      return ["patchbay.effects.asked", { "patchbay.plugin": event.owner }];
    case "model_speaking":
      return ["patchbay.model.first_token", {}];
    case "model_waiting":
      return [
        "patchbay.model.waiting",
        {
          "patchbay.model.attempt": event.attempt,
          "patchbay.model.wait_ms": event.ms,
          "error.type": event.problem.code,
          "exception.message": words(event.problem.message),
        },
      ];
    case "model_again":
      return ["patchbay.model.again", { "patchbay.model.attempt": event.attempt }];
    case "offer_changed":
      return ["patchbay.offer.changed", {}];
    case "stop_asked":
      return ["patchbay.stop.asked", {}];
    case "left_out":
      return [
        "patchbay.left_out",
        { "patchbay.left_out.logs": event.logs, "patchbay.left_out.progress": event.progress },
      ];
    default:
      return undefined;
  }
}

function numberIn(details: Record<string, unknown> | undefined, field: string): number | undefined {
  const value = details?.[field];
  return typeof value === "number" ? value : undefined;
}

function textIn(details: Record<string, unknown> | undefined, field: string): string | undefined {
  const value = details?.[field];
  return typeof value === "string" ? value : undefined;
}
