import { cleanText } from "../../../../../contract/shown/clean-text.ts";
import { eventAt } from "../rows/rows.ts";
import { textsOf } from "./place.ts";
import type { Story, Telling } from "./story.ts";
import { tellApproval, tellCall, tellRules, tellRun } from "./tell-call.ts";
import { tellDialog } from "./tell-dialog.ts";
import { tellHook } from "./tell-hook.ts";
import { tellModel } from "./tell-model.ts";
import { tellPause } from "./tell-pause.ts";

/** What a row has to say. */
export function tell(telling: Telling): Story {
  const { row } = telling;
  if (row.of.kind === "point") return tellPoint(telling, row.of.point.seq);
  const { span } = row.of;
  switch (span.kind) {
    case "turn":
      return { sentences: [] };
    case "model":
      return tellModel(telling, span);
    case "hook":
      return tellHook(telling, span);
    case "tool":
      return tellCall(telling, span);
    case "run":
      return tellRun(telling, span);
    case "dialog":
      return tellDialog(telling, span);
    case "pause":
      return tellPause(telling, span);
    case "approval":
      return tellApproval(telling, span);
  }
}

function tellPoint(telling: Telling, seq: number): Story {
  const { events, t, nameOf } = telling;
  const event = eventAt(events, seq);
  const names = (keys: string[]) => keys.map(nameOf).join(", ");
  switch (event?.type) {
    case "tool_judged":
      return tellRules(telling, event);
    case "approval_known":
      return { sentences: [t(`detail.approval.${event.basis}`)] };
    case "message_received": {
      const { aside, changedBy, text } = event;
      const begun = events.find(({ type }) => type === "turn_begun");
      const before = begun?.type === "turn_begun" ? begun.text : text;
      const sentences = aside
        ? [t(`detail.message.${aside.kind}`, { plugin: nameOf(aside.by) })]
        : changedBy.length > 0
          ? [t("detail.message.changed", { plugins: names(changedBy) })]
          : [];
      if (aside?.kind === "dropped" && aside.reason)
        sentences.push(t("detail.reason", { reason: aside.reason }));
      return before === text
        ? { sentences, quote: cleanText(text) }
        : { sentences, change: { before, after: text } };
    }
    case "assistant_said":
      return {
        sentences:
          event.changedBy.length > 0 ? [t("detail.answer.changed", { plugins: names(event.changedBy) })] : [],
        quote: cleanText(event.text),
      };
    case "prompt_made":
      return Array.isArray(event.sections)
        ? { sentences: [t("detail.prompt", { count: event.sections.length })] }
        : { sentences: [] };
    case "problem":
      return {
        sentences: [],
        problem: event.problem,
        code: textsOf(event.problem),
        ...(event.owner !== null && { logLine: { at: event.at, text: null } }),
      };
    case "turn_ended":
      return event.problem
        ? { sentences: [], problem: event.problem, code: textsOf(event.problem) }
        : { sentences: [] };
    case "log":
      return {
        sentences: [t("detail.log", { plugin: nameOf(event.owner) })],
        quote: cleanText(event.text),
        logLine: { at: event.at, text: event.text },
        code: [event.text],
      };
    case "model_lent":
      return {
        sentences: [t("detail.lent", { plugin: nameOf(event.owner), model: event.model })],
        values: [
          { label: t("detail.lent.request"), value: event.request },
          { label: t("detail.lent.response"), value: event.response },
        ],
        ...(event.problem && { problem: event.problem }),
      };
    case "plugin_ran":
      return event.problem
        ? {
            sentences: [],
            problem: event.problem,
            code: textsOf(event.problem),
            logLine: { at: event.at, text: null },
          }
        : {
            sentences: [t(`detail.ran.${event.what}`, { plugin: nameOf(event.owner) })],
            logLine: { at: event.at, text: null },
          };
    case "tool_progress":
      return { sentences: [], quote: cleanText(event.text) };
    case "steered":
      return { sentences: [], quote: cleanText(event.text) };
    case "effects_asked":
      return { sentences: [], values: [{ label: t("timeline.row.effects"), value: event.effects }] };
    case "plugin_said":
      return { sentences: [], values: [{ label: t("timeline.row.said"), value: event.said }] };
    default:
      return { sentences: [] };
  }
}
