import { isObject } from "../../../../../contract/is-object.ts";
import type { RecordEventOf } from "../../../../../contract/record.ts";
import type { TraceSpan } from "../../../../../contract/trace/spans.ts";
import { eventName } from "../rows/row-words.ts";
import { eventAt, type TimelineRow } from "../rows/rows.ts";
import { textsOf } from "./place.ts";
import type { Story, Telling } from "./story.ts";
import { askedIn } from "./tell-dialog.ts";

/** What a hook was asked and made of it, and what the person was asked by it. */
export function tellHook(telling: Telling, span: TraceSpan): Story {
  const asked = askedIn(telling);
  return { ...tellAnswer(telling, span), ...(asked.length > 0 && { asked }) };
}

function tellAnswer(telling: Telling, span: TraceSpan): Story {
  const { row, events, t, nameOf } = telling;
  const plugin = nameOf(span.owner ?? "");
  const asked = eventAt(events, span.first);
  const answered = span.last === null ? undefined : eventAt(events, span.last);
  if (asked?.type !== "hook_asked") return { sentences: [] };
  const final = asked.stage === "final" ? [t("detail.hook.final")] : [];
  if (answered?.type !== "hook_answered")
    return { sentences: [t("detail.hook.running", { plugin }), ...final] };
  const { decision, after } = answered;
  const reason = answered.reason ?? "";
  switch (decision) {
    case "ran":
    case "allowed":
      return { sentences: [t(`detail.hook.${decision}`, { plugin }), ...final] };
    case "rewrote":
    case "replaced":
      return {
        sentences: [t("detail.hook.changed", { plugin, thing: thingOf(telling, span) }), ...final],
        change: changeOf(asked, after),
        ...logOf(telling),
      };
    case "denied":
    case "dropped":
      return {
        sentences: [
          t(`detail.hook.${decision}`, { plugin, thing: refusedThing(telling, span) }),
          ...(reason === "" ? [] : [t("detail.reason", { reason })]),
          ...final,
        ],
        ...logOf(telling),
      };
    case "failed":
    case "timed_out":
    case "not_running": {
      const problem = problemIn(row, telling);
      const logged = logOf(telling);
      const blocks = decision === "not_running" || problem?.problem.code === "HOOK_BLOCKED";
      return {
        sentences: [
          t(`detail.hook.${decision}`, { plugin, reason: reason.replace(/\.$/, "") }),
          t(blocks ? "detail.hook.blocks" : "detail.hook.goesOn"),
          ...final,
        ],
        ...(problem && { logLine: { at: problem.at, text: null } }),
        ...logged,
        code: [...(problem ? textsOf(problem.problem) : []), ...(logged.code ?? [])],
      };
    }
  }
}

const things = [
  "tool.before",
  "tool.result",
  "session.message.received",
  "prompt.assemble",
  "model.before",
  "model.after",
  "message.final",
] as const;

function thingOf(telling: Telling, span: TraceSpan): string {
  const name = eventName(span.name);
  const known = things.find((each) => each === name) ?? "other";
  return telling.t(`detail.thing.${known}`, { tool: toolAround(telling) });
}

/** What is refused is the call and not its arguments. */
function refusedThing(telling: Telling, span: TraceSpan): string {
  return eventName(span.name) === "tool.before"
    ? telling.t("detail.thing.call", { tool: toolAround(telling) })
    : thingOf(telling, span);
}

/** The tool of the call that the row belongs to, as it is named on the screens. */
export function toolAround({ row, rows }: Pick<Telling, "row" | "rows">): string {
  const around = rows.find(({ id }) => id === row.parentId);
  return around?.of.kind === "span" && around.of.span.kind === "tool" ? around.of.span.name : "";
}

/** Only the part of the payload that a hook may change, which is what people know. */
function changeOf({ payload }: RecordEventOf<"hook_asked">, after: unknown): Story["change"] & {} {
  for (const part of ["args", "content", "text", "sections", "message", "request"])
    if (isObject(payload) && isObject(after) && part in payload && part in after)
      if (JSON.stringify(payload[part]) !== JSON.stringify(after[part]))
        return { before: payload[part], after: after[part] };
  return { before: payload, after };
}

function problemIn(row: TimelineRow, { rows, events }: Telling): RecordEventOf<"problem"> | null {
  for (const inner of rows) {
    if (inner.parentId !== row.id || inner.of.kind !== "point") continue;
    const event = eventAt(events, inner.of.point.seq);
    if (event?.type === "problem") return event;
  }
  return null;
}

/** What the plugin logged meanwhile; an error before anything else, because it has the place in its code. */
export function logOf(
  { row, rows, events }: Telling,
  within: string | null = row.id,
): Pick<Story, "logLine" | "code"> {
  const lines = rows.flatMap((inner) => {
    const event =
      inner.parentId === within && inner.of.kind === "point"
        ? eventAt(events, inner.of.point.seq)
        : undefined;
    return event?.type === "log" ? [event] : [];
  });
  const line = lines.find(({ level }) => level === "error" || level === "warn") ?? lines[0];
  return line ? { logLine: { at: line.at, text: line.text }, code: [line.text] } : {};
}
