import type { TFunction } from "i18next";
import type { Caller } from "../../../../../contract/agent.ts";
import type { RecordEvent } from "../../../../../contract/record.ts";
import { cleanLine } from "../../../../../contract/shown/clean-text.ts";
import { problemLine } from "../../../../base/i18n/problem-words.ts";
import { eventAt, type TimelineRow } from "./rows.ts";

/** What a row is called: what happened, and whose doing it was. */
export interface RowWords {
  what: string;
  who: string | null;
}

interface Words {
  t: TFunction;
  /** A plugin's name on the screens. */
  nameOf(key: string): string;
}

export function rowWords(row: TimelineRow, events: readonly RecordEvent[], words: Words): RowWords {
  const { t, nameOf } = words;
  const owner = row.owner === null ? null : nameOf(row.owner);
  if (row.of.kind === "point") {
    const event = eventAt(events, row.of.point.seq);
    return event ? pointWords(event, owner, words) : { what: "", who: owner };
  }
  const { span } = row.of;
  switch (span.kind) {
    case "turn":
      return { what: span.name, who: null };
    case "model":
      return { what: t("timeline.row.model"), who: null };
    case "hook":
      return { what: eventName(span.name), who: owner };
    case "tool":
      return { what: span.name, who: null };
    case "run":
      return { what: t("timeline.row.run"), who: owner ?? t("timeline.row.builtIn") };
    case "dialog":
      return { what: t("timeline.row.dialog"), who: owner ?? t("timeline.row.patchbay") };
    case "pause": {
      const resumed = span.last === null ? undefined : eventAt(events, span.last);
      const by = resumed?.type === "resumed" ? resumed.by : null;
      return { what: t("timeline.row.pause"), who: by ? personWords(by, t) : null };
    }
    case "approval": {
      const answer = span.last === null ? undefined : eventAt(events, span.last);
      const by = answer?.type === "approval_answered" ? answer.decidedBy : null;
      return { what: t("timeline.row.approval"), who: span.last !== null && !by ? null : personWords(by, t) };
    }
  }
}

/** Who decided: the person at the screens, or somebody in a chat. */
export function personWords(caller: Caller | null, t: TFunction): string {
  return caller?.kind === "channel" ? cleanLine(caller.userId) : t("timeline.you");
}

/** `tool.before@v1` as people read it. */
export function eventName(event: string): string {
  return event.replace(/@v\d+$/, "");
}

function pointWords(event: RecordEvent, owner: string | null, { t }: Words): RowWords {
  switch (event.type) {
    case "tool_judged":
      return { what: t("timeline.row.rules"), who: t(`timeline.effect.${event.effect}`) };
    case "approval_known":
      return { what: t("timeline.row.approval"), who: t("timeline.row.before") };
    case "message_received":
      return { what: t("timeline.row.message"), who: null };
    case "assistant_said":
      return { what: t("timeline.row.answer"), who: null };
    case "prompt_made":
      return { what: t("timeline.row.prompt"), who: null };
    case "turn_ended":
      return { what: t(`timeline.ended.${event.cut ? "cut" : event.outcome}`), who: null };
    case "problem":
      return { what: t("timeline.row.problem"), who: owner ?? problemLine(event.problem) };
    case "log":
      return { what: cleanLine(event.text), who: owner };
    case "tool_progress":
      return { what: cleanLine(event.text), who: null };
    case "left_out":
      return { what: t("timeline.row.leftOut", { count: event.logs + event.progress }), who: null };
    case "plugin_said":
      return { what: t("timeline.row.said"), who: owner };
    case "steered":
      return { what: t("timeline.row.steered"), who: owner };
    case "effects_asked":
      return { what: t("timeline.row.effects"), who: owner };
    case "tool_skipped":
      return { what: t("timeline.row.skipped", { tool: event.tool }), who: null };
    case "model_lent":
      return { what: t("timeline.lent"), who: owner };
    case "plugin_ran":
      return { what: t(`timeline.ran.${event.what}`), who: owner };
    case "stop_asked":
      return { what: t("timeline.row.stopped"), who: t("timeline.you") };
    default:
      return { what: event.type, who: owner };
  }
}
