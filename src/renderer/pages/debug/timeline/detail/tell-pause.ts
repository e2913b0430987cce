import { isObject } from "../../../../../contract/is-object.ts";
import { cleanText } from "../../../../../contract/shown/clean-text.ts";
import type { TraceSpan } from "../../../../../contract/trace/spans.ts";
import { eventName } from "../rows/row-words.ts";
import { eventAt } from "../rows/rows.ts";
import type { Story, Telling } from "./story.ts";

/** A turn that stood still at a breakpoint, and how it went on. */
export function tellPause({ events, t }: Telling, span: TraceSpan): Story {
  const what = eventName(span.name);
  const resumed = span.last === null ? undefined : eventAt(events, span.last);
  if (resumed?.type !== "resumed") return { sentences: [t("detail.pause.waiting", { what })] };
  const { action, why, edit, given } = resumed;
  if (why) return { sentences: [t(`detail.pause.${why}`)] };
  if (given !== undefined) return { sentences: [t("detail.pause.given")], quote: cleanText(given) };
  if (!isObject(edit)) return { sentences: [t(`detail.pause.${action}`, { what })] };
  const change = { before: changedPart(edit.before), after: changedPart(edit.after) };
  return { sentences: [t("detail.pause.changed")], change };
}

/** What was changed, without the place at which that was. */
function changedPart(edit: unknown): unknown {
  if (!isObject(edit)) return edit;
  const { where: _where, ...rest } = edit;
  const [only, ...others] = Object.values(rest);
  return others.length === 0 ? only : rest;
}
