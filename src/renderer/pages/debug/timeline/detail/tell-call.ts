import { isObject } from "../../../../../contract/is-object.ts";
import type { RecordEventOf } from "../../../../../contract/record.ts";
import type { TraceSpan } from "../../../../../contract/trace/spans.ts";
import { problemLine } from "../../../../base/i18n/problem-words.ts";
import { callerWords } from "../rows/caller-words.ts";
import { personWords } from "../rows/row-words.ts";
import { eventAt } from "../rows/rows.ts";
import { textsOf } from "./place.ts";
import type { Story, Telling } from "./story.ts";
import { logOf, toolAround } from "./tell-hook.ts";

/** A tool call as a whole. */
export function tellCall(telling: Telling, span: TraceSpan): Story {
  const { events, t, nameOf } = telling;
  const tool = span.name;
  const called = eventAt(events, span.first);
  const ended = span.last === null ? undefined : eventAt(events, span.last);
  if (called?.type !== "tool_called") return { sentences: [] };
  const rewritten = events.findLast(
    (event): event is RecordEventOf<"tool_rewritten"> =>
      event.type === "tool_rewritten" && event.spanId === called.spanId,
  );
  const became = ended?.type === "tool_ended" ? ended : null;
  const words = { tool, problem: became?.problem ? problemLine(became.problem) : "" };
  const end = became?.outcome ?? (span.state === "cut" ? "cut" : "running");
  const sentences = [
    called.turnId !== "" || end === "cut"
      ? t(`detail.tool.${end}`, words)
      : t(`outside.tool.${end}`, { ...words, by: callerWords(called.caller, t) }),
  ];
  if (rewritten && rewritten.changedBy.length > 0)
    sentences.push(t("detail.tool.changedBy", { plugins: rewritten.changedBy.map(nameOf).join(", ") }));
  if (rewritten?.byPerson) sentences.push(t("tool.editedByYou"));
  const result = ended?.type === "tool_ended" ? resultOf(ended.result) : undefined;
  return {
    sentences,
    ...(rewritten
      ? { change: { before: called.arguments, after: rewritten.arguments } }
      : { values: [{ label: t("detail.arguments"), value: called.arguments }] }),
    ...(result !== undefined && {
      values: [
        ...(rewritten ? [] : [{ label: t("detail.arguments"), value: called.arguments }]),
        { label: t("detail.result"), value: result },
      ],
    }),
    ...(ended?.type === "tool_ended" && ended.problem && { code: textsOf(ended.problem) }),
  };
}

/** The tool's own work, which is its plugin's. */
export function tellRun(telling: Telling, span: TraceSpan): Story {
  const { events, t, nameOf } = telling;
  const tool = span.name;
  const owner = span.owner === null ? t("detail.run.builtIn") : nameOf(span.owner);
  const answered = span.last === null ? undefined : eventAt(events, span.last);
  if (answered?.type !== "tool_answered") return { sentences: [t("detail.run.running", { owner, tool })] };
  const { problem, output } = answered;
  const logged = logOf(telling, span.parentId);
  if (problem)
    return {
      sentences: [t("detail.run.failed", { owner, tool, problem: problemLine(problem) })],
      ...(span.owner !== null && { logLine: { at: answered.at, text: null } }),
      ...logged,
      code: [...textsOf(problem), ...(logged.code ?? [])],
    };
  const last = events.findLast(
    (event) =>
      (event.type === "tool_rewritten" || event.type === "tool_called") && event.spanId === answered.spanId,
  );
  const args = last && "arguments" in last ? last.arguments : {};
  return {
    sentences: [t("detail.run.done", { owner, tool })],
    values: [
      { label: t("detail.arguments"), value: args },
      { label: t("detail.result"), value: resultOf(output) ?? output },
    ],
    ...logged,
    code: [],
  };
}

/** The question to the person, and who answered it. */
export function tellApproval(telling: Telling, span: TraceSpan): Story {
  const { events, t } = telling;
  const tool = span.name;
  const answer = span.last === null ? undefined : eventAt(events, span.last);
  if (answer?.type !== "approval_answered") return { sentences: [t("detail.approval.waiting", { tool })] };
  const { status, scope, decidedBy, reason } = answer;
  const person = personWords(decidedBy, t);
  const who = decidedBy?.kind === "channel" ? person : t("detail.you");
  const key = status === "allowed" ? (`allowed.${scope ?? "once"}` as const) : status;
  return {
    sentences: [
      t(`detail.approval.${key}`, { tool, who }),
      ...(reason ? [t("detail.reason", { reason })] : []),
    ],
  };
}

/** What the agent's rules said about a call. */
export function tellRules(telling: Telling, event: RecordEventOf<"tool_judged">): Story {
  const { t } = telling;
  const named = /^rule (.*): \w+$/.exec(event.rule);
  return {
    sentences: [
      t(`detail.rules.${event.effect}`, { tool: event.title ?? toolAround(telling) }),
      named ? t("detail.rules.by", { rule: named[1] }) : t("detail.rules.default"),
    ],
  };
}

/** A result of nothing but text as that text. */
function resultOf(result: unknown): unknown {
  if (!isObject(result) || !Array.isArray(result.content)) return undefined;
  const texts = result.content.map((part: unknown) =>
    isObject(part) && part.type === "text" && typeof part.text === "string" ? part.text : null,
  );
  return texts.includes(null) || result.details !== undefined ? result : texts.join("\n");
}
