import { isObject } from "../../../../../contract/is-object.ts";
import { cleanLine } from "../../../../../contract/shown/clean-text.ts";
import type { TraceSpan } from "../../../../../contract/trace/spans.ts";
import { personWords } from "../rows/row-words.ts";
import { eventAt } from "../rows/rows.ts";
import type { Story, Telling } from "./story.ts";

type Asked = NonNullable<Story["asked"]>[number];

/** A question in the middle of a call, and who answered it. */
export function tellDialog(telling: Telling, span: TraceSpan): Story {
  const { events, t, nameOf } = telling;
  const plugin = span.owner === null ? t("timeline.row.patchbay") : nameOf(span.owner);
  const answered = span.last === null ? undefined : eventAt(events, span.last);
  const asked = askedOf(telling, span);
  const sentence =
    answered?.type !== "dialog_answered"
      ? t("detail.dialog.waiting", { plugin })
      : answered.end === "answered"
        ? t("detail.dialog.answered", {
            plugin,
            who:
              answered.answeredBy?.kind === "channel" ? personWords(answered.answeredBy, t) : t("detail.you"),
          })
        : t(`detail.dialog.${answered.end}`, { plugin });
  return { sentences: [sentence], ...(asked && { asked: [asked] }) };
}

/** What the person was asked within a row. */
export function askedIn(telling: Telling): Asked[] {
  return telling.rows.flatMap(({ parentId, of }) => {
    if (parentId !== telling.row.id || of.kind !== "span" || of.span.kind !== "dialog") return [];
    return askedOf(telling, of.span) ?? [];
  });
}

function askedOf({ events, t }: Telling, span: TraceSpan): Asked | null {
  const asked = eventAt(events, span.first);
  const answered = span.last === null ? undefined : eventAt(events, span.last);
  if (asked?.type !== "dialog_asked" || !isObject(asked.question)) return null;
  const { message, options, fields } = asked.question;
  const question = typeof message === "string" ? cleanLine(message) : "";
  if (answered?.type !== "dialog_answered") return { question, answer: null };
  if (answered.secret) return { question, answer: t("detail.secret") };
  return {
    question,
    answer: isObject(answered.answer)
      ? replyWords(answered.answer, fields, t)
      : answerWords(answered.answer, options, t),
  };
}

/** The values of a form under the titles of their fields; that it was declined, or agreed to. */
function replyWords(reply: Record<string, unknown>, fields: unknown, t: Telling["t"]): string {
  if (reply.action === "decline") return t("detail.declined");
  const known: unknown[] = Array.isArray(fields) ? fields : [];
  const values = isObject(reply.values) ? reply.values : {};
  const told = known.flatMap((field) => {
    if (!isObject(field) || typeof field.name !== "string" || values[field.name] === undefined) return [];
    const title = typeof field.title === "string" ? cleanLine(field.title) : field.name;
    return `${title}: ${answerWords(values[field.name], field.options, t)}`;
  });
  return told.join(", ") || t("detail.agreed");
}

/** The words of the choices that were made, as they stood on the question. */
function answerWords(answer: unknown, options: unknown, t: Telling["t"]): string | null {
  if (answer === null || answer === undefined) return null;
  if (typeof answer === "boolean") return t(answer ? "detail.yes" : "detail.no");
  if (Array.isArray(answer)) return answer.map((one) => answerWords(one, options, t)).join(", ");
  const known: unknown = Array.isArray(options)
    ? options.find((option: unknown) => isObject(option) && option.value === answer)
    : undefined;
  if (isObject(known) && typeof known.label === "string") return cleanLine(known.label);
  return cleanLine(typeof answer === "string" ? answer : JSON.stringify(answer));
}
