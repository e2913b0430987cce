import type { TraceSpan } from "../../../../../contract/trace/spans.ts";
import { problemLine } from "../../../../base/i18n/problem-words.ts";
import { formatCount, formatMs } from "../../../../base/i18n/time.ts";
import { eventAt } from "../rows/rows.ts";
import type { Story, Telling } from "./story.ts";

/** A call of the model: what it was sent, when it began to speak, and what that took. */
export function tellModel({ row, events, t }: Telling, span: TraceSpan): Story {
  const asked = eventAt(events, span.first);
  const answered = span.last === null ? undefined : eventAt(events, span.last);
  if (asked?.type !== "model_asked") return { sentences: [] };
  if (answered?.type !== "model_answered") return { sentences: [t("detail.model.running")] };
  const { model, usage, problem } = answered;
  if (problem)
    return {
      sentences: [t("detail.model.failed", { model, problem: problemLine(problem) })],
      problem,
    };
  const sentences = [t("detail.model.done", { model, messages: asked.messages, tools: asked.tools })];
  if (row.firstToken !== null)
    sentences.push(t("detail.model.first", { time: formatMs(row.firstToken - row.begin) }));
  if (usage) {
    const input = usage.input + usage.cacheRead + usage.cacheWrite;
    sentences.push(
      t("detail.model.tokens", { input: formatCount(input), output: formatCount(usage.output) }),
    );
  }
  return { sentences };
}
