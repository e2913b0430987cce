import { isObject, type Problem, type RecordEvent, type TraceSpan } from "../../../../../contract/index.ts";
import { pick } from "../../pick.ts";
import type { Exported, WholeTurn } from "../whole-turn.ts";
import { modelIn } from "./asked-model.ts";
import { type attributes, Fraction } from "./attributes.ts";
import { inputOf, outputOf, saidBy } from "./messages.ts";

type Given = Parameters<typeof attributes>[0];

/** What a span says. */
export interface SpanFacts {
  name: string;
  /** It is a call to something outside of Patchbay. */
  isClient: boolean;
  error: { message?: string | undefined } | null;
  /** Turns that this one comes from. */
  links: string[];
  given: Given;
}

/** What all spans of a turn share. */
export interface TurnFacts {
  agent: Exported["agent"];
  sessionId: string;
  turn: WholeTurn;
  /** As its first model call names them; undefined when there was none. */
  provider: string | undefined;
  model: string | undefined;
  contents: boolean;
}

export function turnFactsOf({ agent, session }: Exported, turn: WholeTurn, contents: boolean): TurnFacts {
  const asked = pick(turn.record, "model_asked");
  const { provider, id } = modelIn(asked?.request);
  return { agent, sessionId: session.id, turn, provider, model: id, contents };
}

/** The name and the attributes of a stretch of a turn. @param events its own */
export function factsOf(span: TraceSpan, events: readonly RecordEvent[], facts: TurnFacts): SpanFacts {
  const told = toldOf(span, events, facts);
  const isBad = span.state === "failed" || span.state === "cut";
  const code = span.state === "cut" ? "cut" : (told.problem?.code ?? "_OTHER");
  const given = {
    "gen_ai.conversation.id": facts.sessionId,
    "patchbay.plugin": span.owner,
    "patchbay.state": span.state,
    ...(isBad && { "error.type": code }),
    ...told.given,
  };
  const message = facts.contents ? told.problem?.message : undefined;
  return {
    name: told.name,
    isClient: told.isClient === true,
    error: isBad ? { message } : null,
    links: told.links ?? [],
    given,
  };
}

interface Told {
  name: string;
  isClient?: boolean;
  links?: string[];
  problem?: Problem | null | undefined;
  given: Given;
}

function toldOf(span: TraceSpan, events: readonly RecordEvent[], facts: TurnFacts): Told {
  switch (span.kind) {
    case "turn":
      return turnSpan(events, facts);
    case "model":
      return modelSpan(events, facts);
    case "tool":
      return toolSpan(span, events, facts);
    case "hook":
      return hookSpan(span, events, facts);
    case "approval": {
      const answered = pick(events, "approval_answered");
      return {
        name: `approval ${span.name}`,
        given: {
          "patchbay.approval.status": answered?.status,
          "patchbay.approval.scope": answered?.scope,
          "patchbay.approval.decided_by": answered?.decidedBy?.kind,
        },
      };
    }
    case "run":
      return { name: `run ${span.name}`, problem: pick(events, "tool_answered")?.problem, given: {} };
    case "pause": {
      const resumed = events.find(({ seq }) => seq === span.last);
      return {
        name: `pause ${span.name}`,
        given:
          resumed?.type === "resumed"
            ? {
                "patchbay.pause.action": resumed.action,
                "patchbay.pause.edited": resumed.edit !== undefined,
                "patchbay.pause.by": resumed.by?.kind,
                ...(facts.contents &&
                  resumed.edit !== undefined && { "patchbay.pause.edit": json(resumed.edit) }),
              }
            : {},
      };
    }
    case "dialog": {
      const answered = pick(events, "dialog_answered");
      const { question } = pick(events, "dialog_asked") ?? {};
      return {
        name: "dialog",
        given: {
          "patchbay.dialog.kind": isObject(question) ? text(question.kind) : undefined,
          "patchbay.dialog.end": answered?.end,
          "patchbay.dialog.answered_by": answered?.answeredBy?.kind,
          ...(facts.contents && {
            "patchbay.dialog.question": isObject(question) ? text(question.message) : undefined,
            "patchbay.dialog.answer": answered && json(answered.answer),
          }),
        },
      };
    }
  }
}

function turnSpan(events: readonly RecordEvent[], facts: TurnFacts): Told {
  const { agent, provider, model, contents, turn } = facts;
  const begun = pick(events, "turn_begun");
  const received = pick(events, "message_received");
  const ended = pick(events, "turn_ended");
  const answers = turn.record.filter(
    (event) => event.type === "model_answered" || event.type === "model_lent",
  );
  const used = answers.flatMap(({ usage }) => (usage ? [usage] : []));
  const sum = (of: (one: (typeof used)[number]) => number) => used.reduce((all, one) => all + of(one), 0);
  const costs = answers.flatMap(({ cost }) => (cost ? [cost.total] : []));
  const from = begun?.from?.turnId;
  return {
    name: `invoke_agent ${agent.name}`,
    links: from ? [from] : [],
    problem: ended?.problem,
    given: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": provider ?? "patchbay",
      "gen_ai.agent.id": agent.id,
      "gen_ai.agent.name": agent.name,
      "gen_ai.request.model": model,
      ...(used.length > 0 && {
        "gen_ai.usage.input_tokens": sum((one) => one.input + one.cacheRead + one.cacheWrite),
        "gen_ai.usage.output_tokens": sum((one) => one.output),
      }),
      // A sum without the calls of which nobody knows the price would be too small.
      ...(costs.length > 0 &&
        costs.length === answers.length && {
          "patchbay.cost.usd": new Fraction(costs.reduce((all, one) => all + one, 0)),
        }),
      "patchbay.turn.id": turn.turnId,
      "patchbay.turn.outcome": ended?.outcome ?? "running",
      "patchbay.turn.cut": turn.cut,
      "patchbay.caller": begun?.caller.kind,
      "patchbay.channel": begun?.channel?.name,
      "patchbay.begun_by": received?.by,
      "patchbay.changed_by": received && received.changedBy.length > 0 ? received.changedBy : undefined,
      ...(contents && {
        "gen_ai.input.messages": begun && saidBy("user", begun.text),
        "gen_ai.output.messages": ended && saidBy("assistant", ended.text),
      }),
    },
  };
}

function modelSpan(events: readonly RecordEvent[], { contents }: TurnFacts): Told {
  const asked = pick(events, "model_asked");
  const speaking = pick(events, "model_speaking");
  const answered = pick(events, "model_answered");
  const { provider, id, host, port, maxTokens, temperature } = modelIn(asked?.request);
  const { usage, cost, stopReason } = answered ?? {};
  const { messages, system } = contents ? inputOf(asked?.request) : {};
  return {
    name: `chat ${id ?? answered?.model ?? ""}`.trim(),
    isClient: true,
    problem: answered?.problem,
    given: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": provider ?? "patchbay",
      "gen_ai.request.model": id,
      "gen_ai.request.stream": true,
      "gen_ai.request.max_tokens": maxTokens,
      "gen_ai.request.temperature": temperature,
      "gen_ai.request.reasoning.level": asked?.thinking,
      "gen_ai.response.model": answered?.model,
      "gen_ai.response.finish_reasons": stopReason ? [stopReason] : undefined,
      "gen_ai.response.time_to_first_chunk":
        asked && speaking ? new Fraction((speaking.at - asked.at) / 1_000) : undefined,
      ...(usage && {
        "gen_ai.usage.input_tokens": usage.input + usage.cacheRead + usage.cacheWrite,
        "gen_ai.usage.output_tokens": usage.output,
        "gen_ai.usage.cache_read.input_tokens": usage.cacheRead,
        "gen_ai.usage.cache_write.input_tokens": usage.cacheWrite,
        "gen_ai.usage.reasoning.output_tokens": usage.thinking,
      }),
      "patchbay.cost.usd": cost && new Fraction(cost.total),
      "patchbay.model.call": asked?.index,
      "server.address": host,
      "server.port": port,
      "gen_ai.input.messages": messages,
      "gen_ai.system_instructions": system,
      "gen_ai.output.messages": contents ? outputOf(answered?.response) : undefined,
    },
  };
}

function toolSpan(span: TraceSpan, events: readonly RecordEvent[], { contents }: TurnFacts): Told {
  const called = pick(events, "tool_called");
  const judged = pick(events, "tool_judged");
  const rewritten = pick(events, "tool_rewritten");
  const ended = pick(events, "tool_ended");
  const problem = ended?.problem;
  return {
    name: `execute_tool ${called?.tool ?? span.name}`,
    problem,
    given: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": called?.tool,
      "gen_ai.tool.call.id": called?.toolCallId,
      "gen_ai.tool.type": "function",
      "patchbay.tool.outcome": ended?.outcome,
      "patchbay.tool.blocked_by": ended?.outcome === "vetoed" ? text(problem?.details?.owner) : undefined,
      "patchbay.policy.effect": judged?.effect,
      "patchbay.policy.rule": judged?.rule,
      ...(contents && {
        "gen_ai.tool.call.arguments": json(rewritten?.arguments ?? called?.arguments),
        "gen_ai.tool.call.result": ended && json(ended.result),
        "patchbay.tool.given_arguments": rewritten && json(called?.arguments),
      }),
    },
  };
}

function hookSpan(span: TraceSpan, events: readonly RecordEvent[], { contents }: TurnFacts): Told {
  const asked = pick(events, "hook_asked");
  const answered = pick(events, "hook_answered");
  return {
    name: `hook ${span.name}`,
    given: {
      "patchbay.hook.event": span.name,
      "patchbay.hook.id": asked?.hookId,
      "patchbay.hook.stage": asked?.stage,
      "patchbay.hook.decision": answered?.decision,
      ...(contents && {
        "patchbay.hook.reason": answered?.reason,
        "patchbay.hook.payload": json(asked?.payload),
        "patchbay.hook.after": answered && json(answered.after),
      }),
    },
  };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
