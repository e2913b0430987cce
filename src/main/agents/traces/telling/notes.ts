import { type Caller, isObject, type RecordEvent, type TraceSpan } from "../../../../contract/index.ts";
import { between } from "../../record/project-tool.ts";
import { pick } from "../pick.ts";
import { amount, dollars, duration } from "./figures.ts";
import type { Words } from "./words.ts";

/** What came of a stretch, in a few words. @param events its own */
export function noteOfSpan(span: TraceSpan, events: readonly RecordEvent[], words: Words): string {
  switch (span.kind) {
    case "turn":
      return turnNote(events, words);
    case "model":
      return modelNote(events, words);
    case "hook": {
      const answered = pick(events, "hook_answered");
      if (!answered) return openNote(span, words);
      return joined(words.hooks[answered.decision], answered.reason);
    }
    case "tool":
      return toolNote(span, events, words);
    case "approval": {
      const answered = pick(events, "approval_answered");
      if (!answered) return openNote(span, words);
      const { status, decidedBy, reason } = answered;
      return joined(words.approvals[status], decidedBy && words.by(nameOf(decidedBy, words)), reason);
    }
    case "run": {
      const answered = pick(events, "tool_answered");
      return answered ? (answered.problem?.message ?? "") : openNote(span, words);
    }
    case "pause": {
      const resumed = events.find(({ seq }) => seq === span.last);
      if (resumed?.type !== "resumed") return openNote(span, words);
      return words.pauses[resumed.edit === undefined ? resumed.action : "changed"];
    }
    case "dialog": {
      const asked = pick(events, "dialog_asked");
      const answered = pick(events, "dialog_answered");
      const end = answered ? words.dialogs[answered.end] : openNote(span, words);
      const answer = answered?.secret ? words.secret : answerOf(answered?.answer);
      return joined(messageOf(asked?.question), end, answer);
    }
  }
}

/** What happened at a moment; undefined for what is part of a stretch and told there. */
export function noteOfPoint(
  event: RecordEvent,
  words: Words,
): { label: string; note: string; isBad?: boolean } | undefined {
  switch (event.type) {
    case "log":
      return { label: words.log, note: event.text, isBad: event.level === "error" };
    case "problem":
      return { label: words.problem, note: event.problem.message, isBad: true };
    case "plugin_ran": {
      const { what, problem, version, ms } = event;
      const details = [version, ms === undefined ? undefined : duration(ms), problem?.message];
      return { label: words.plugin, note: joined(words.plugins[what], ...details), isBad: what === "failed" };
    }
    case "model_lent":
      return {
        label: words.lent,
        note: joined(event.owner, event.model, event.problem?.message),
        isBad: event.problem !== null,
      };
    case "model_waiting":
      return {
        label: words.waits,
        note: joined(duration(event.ms), event.problem.message),
        isBad: true,
      };
    case "steered":
      return { label: words.steered, note: event.text };
    case "plugin_said":
      return { label: words.said, note: "" };
    case "effects_asked":
      return { label: words.asked, note: kindsOf(event.effects) };
    case "stop_asked":
      return { label: words.stop, note: "" };
    case "left_out":
      return { label: words.log, note: words.leftOut(event.logs, event.progress) };
    default:
      return undefined;
  }
}

function turnNote(events: readonly RecordEvent[], words: Words): string {
  const ended = pick(events, "turn_ended");
  if (!ended) return words.outcomes.running;
  return joined(words.outcomes[ended.cut ? "cut" : ended.outcome], ended.cut ? null : ended.problem?.message);
}

function modelNote(events: readonly RecordEvent[], words: Words): string {
  const asked = pick(events, "model_asked");
  const speaking = pick(events, "model_speaking");
  const answered = pick(events, "model_answered");
  if (!answered) return "";
  const { usage, cost, problem } = answered;
  const sent = usage && usage.input + usage.cacheRead + usage.cacheWrite;
  return joined(
    usage && words.tokens(amount(sent ?? 0), amount(usage.output)),
    usage && usage.cacheRead > 0 && words.cached(amount(usage.cacheRead)),
    usage?.thinking !== undefined && usage.thinking > 0 && words.thinking(amount(usage.thinking)),
    cost && dollars(cost.total),
    asked && speaking && words.firstWord(duration(between(asked.at, speaking.at))),
    problem?.message,
  );
}

function toolNote(span: TraceSpan, events: readonly RecordEvent[], words: Words): string {
  const judged = pick(events, "tool_judged");
  const rewritten = pick(events, "tool_rewritten");
  const ended = pick(events, "tool_ended");
  return joined(
    ended ? words.tools[ended.outcome] : openNote(span, words),
    ended && ended.outcome !== "executed" && ended.problem?.message,
    rewritten && words.changedBy(rewritten.changedBy.join(", ")),
    pick(events, "approval_known") && words.knownBefore,
    judged?.rule,
  );
}

/** Of what has no end of its own. */
function openNote(span: TraceSpan, words: Words): string {
  return span.state === "cut" ? words.outcomes.cut : words.outcomes.running;
}

function nameOf(caller: Caller, words: Words): string {
  if (caller.kind === "channel") return `${caller.userId} (${caller.channel})`;
  return caller.program === undefined ? words.owner : `${words.owner} (${caller.program})`;
}

function messageOf(question: unknown): string {
  const message =
    typeof question === "object" && question !== null && "message" in question && question.message;
  return typeof message === "string" ? message : "";
}

function answerOf(answer: unknown): string {
  if (typeof answer === "string" || typeof answer === "number") return String(answer);
  if (typeof answer === "boolean") return answer ? "✓" : "✗";
  if (Array.isArray(answer)) return answer.join(", ");
  if (!isObject(answer)) return "";
  if (answer.action === "decline") return "✗";
  const values = Object.entries(isObject(answer.values) ? answer.values : {});
  return values.map(([name, value]) => `${name}: ${answerOf(value)}`).join(", ") || "✓";
}

function kindsOf(effects: unknown): string {
  const list: unknown[] = Array.isArray(effects) ? effects : [];
  const kinds = list.flatMap((one) =>
    typeof one === "object" && one !== null && "kind" in one && typeof one.kind === "string"
      ? [one.kind]
      : [],
  );
  return [...new Set(kinds)].join(", ");
}

function joined(...parts: (string | false | null | undefined)[]): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join(" · ");
}
