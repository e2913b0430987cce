import type { RecordEvent, RecordEventOf } from "../record.ts";
import { plainMessage, plainMessages, plainModel, plainPayload } from "./plain.ts";
import type { TraceSpan } from "./spans.ts";

/** What can differ of a stretch that both turns have. */
export const factKinds = [
  /** Of the turn: the text that was given, and the message after all hooks. */
  "given",
  "message",
  "prompt",
  /** What plugins left in the conversation, and what they told the model in the middle of it. */
  "said",
  "steered",
  "stopped",
  "end",
  /** Of the turn and of a model's answer: what the person reads. */
  "text",
  /** Of a model call: which model, what it was sent, what it answered. */
  "model",
  "messages",
  "answer",
  /** Of a hook: what it was asked about, how it decided, what it made of it, what it asked for beside that. */
  "input",
  "decision",
  "changes",
  "effects",
  /** Of a tool call: as the model made it, the rule, the arguments after all hooks, who allowed it, what the tool gave, what the model read. */
  "call",
  "rule",
  "arguments",
  "approval",
  "output",
  "result",
  /** Of a question of a plugin: what it asked, and what it was told. */
  "question",
  "reply",
] as const;
export type FactKind = (typeof factKinds)[number];

/**
 * From where a difference of this kind can come: from what the hook itself was asked, from the same stretch, or from anything
 * before it.
 */
export const comesFrom: Record<FactKind, "nothing" | "input" | "span" | "all"> = {
  given: "nothing",
  message: "all",
  prompt: "all",
  said: "all",
  steered: "all",
  stopped: "all",
  end: "all",
  text: "all",
  model: "span",
  messages: "all",
  answer: "span",
  input: "all",
  decision: "input",
  changes: "input",
  effects: "input",
  call: "all",
  rule: "span",
  arguments: "span",
  approval: "span",
  output: "span",
  result: "span",
  question: "all",
  reply: "span",
};

export interface Fact {
  kind: FactKind;
  /** Without ids and times. */
  value: unknown;
  /** The event that says it; `Infinity`: known at the end of the stretch. */
  seq: number;
}

/** What happened in a stretch, in its order. `own`: the record's events of its span. */
export function factsOf({ kind }: TraceSpan, own: readonly RecordEvent[]): Fact[] {
  switch (kind) {
    case "turn":
      return turnFacts(own);
    case "model":
      return modelFacts(own);
    case "hook":
      return hookFacts(own);
    case "tool":
      return toolFacts(own);
    case "approval":
      return each(own, "approval_answered", ({ status, scope, reason, decidedBy }) => [
        "approval",
        // Who looked when nobody answered, and how long, are times.
        status === "timed_out" ? { status } : { status, scope, reason, decidedBy },
      ]);
    case "dialog":
      return [
        ...each(own, "dialog_asked", ({ question }) => ["question", question]),
        ...each(own, "dialog_answered", ({ answer, secret, end }) => ["reply", { answer, secret, end }]),
      ];
    // What was changed there differs where it stands: in the arguments, the result, the answer.
    case "pause":
      return [];
    case "run":
      return each(own, "tool_answered", ({ output, problem }) => ["output", { output, ...failure(problem) }]);
  }
}

function turnFacts(own: readonly RecordEvent[]): Fact[] {
  const atEnd = (kind: FactKind, value: readonly unknown[]): Fact[] =>
    value.length > 0 ? [{ kind, value, seq: Number.POSITIVE_INFINITY }] : [];
  return [
    ...each(own, "turn_begun", ({ text }) => ["given", text]),
    ...each(own, "message_received", ({ text, aside, attachments, sorry }) => [
      "message",
      { text, aside, sorry, attachments: attachments?.map(({ name, mimeType }) => ({ name, mimeType })) },
    ]),
    ...each(own, "prompt_made", ({ sections }) => ["prompt", sections]),
    ...atEnd(
      "said",
      of(own, "plugin_said").map(({ owner, said }) => ({ owner, said })),
    ),
    ...atEnd(
      "steered",
      of(own, "steered").map(({ owner, text, newRun }) => ({ owner, text, newRun })),
    ),
    ...atEnd(
      "stopped",
      of(own, "stop_asked").map(() => true),
    ),
    ...each(own, "turn_ended", ({ text }) => ["text", text]),
    ...each(own, "turn_ended", ({ outcome, problem, cut }) => ["end", { outcome, ...failure(problem), cut }]),
  ];
}

function modelFacts(own: readonly RecordEvent[]): Fact[] {
  return [
    ...each(own, "model_asked", ({ request }) => ["model", plainModel(request)]),
    ...each(own, "model_asked", ({ request }) => ["messages", plainMessages(request)]),
    ...each(own, "model_answered", ({ response, stopReason, problem }) => [
      "answer",
      { message: plainMessage(response), stopReason, ...failure(problem) },
    ]),
    ...each(own, "assistant_said", ({ text }) => ["text", text]),
  ];
}

function hookFacts(own: readonly RecordEvent[]): Fact[] {
  return [
    ...each(own, "hook_asked", ({ payload }) => ["input", plainPayload(payload)]),
    ...effectsIn(own),
    ...each(own, "hook_answered", ({ decision, reason }) => ["decision", { decision, reason }]),
    ...each(own, "hook_answered", ({ after }) =>
      after === undefined ? undefined : ["changes", plainPayload(after)],
    ),
  ];
}

function toolFacts(own: readonly RecordEvent[]): Fact[] {
  const called = of(own, "tool_called")[0];
  const rewritten = of(own, "tool_rewritten").at(-1);
  return [
    ...each(own, "tool_called", (event) => ["call", event.arguments]),
    ...each(own, "tool_judged", ({ effect, rule }) => ["rule", { effect, rule }]),
    ...(called
      ? [
          {
            kind: "arguments" as const,
            value: rewritten?.arguments ?? called.arguments,
            seq: rewritten?.seq ?? of(own, "tool_judged")[0]?.seq ?? called.seq,
          },
        ]
      : []),
    ...each(own, "approval_known", ({ basis }) => ["approval", { basis }]),
    ...effectsIn(own),
    ...each(own, "tool_ended", ({ outcome, result, problem }) => [
      "result",
      { outcome, result, ...failure(problem) },
    ]),
  ];
}

function effectsIn(own: readonly RecordEvent[]): Fact[] {
  return each(own, "effects_asked", ({ effects }) => ["effects", effects]);
}

/** What a person reads of a failure. */
function failure(problem: { code: string; message: string } | null) {
  return problem && { problem: { code: problem.code, message: problem.message } };
}

function of<T extends RecordEvent["type"]>(events: readonly RecordEvent[], type: T): RecordEventOf<T>[] {
  return events.filter((event): event is RecordEventOf<T> => event.type === type);
}

function each<T extends RecordEvent["type"]>(
  events: readonly RecordEvent[],
  type: T,
  say: (event: RecordEventOf<T>) => [kind: FactKind, value: unknown] | undefined,
): Fact[] {
  return of(events, type).flatMap((event) => {
    const said = say(event);
    return said ? [{ kind: said[0], value: said[1], seq: event.seq }] : [];
  });
}
