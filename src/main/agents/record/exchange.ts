import type { Api, AssistantMessage, Message, Model } from "@earendil-works/pi-ai";
import type { Problem, RecordEventOf, RecordFact } from "../../../contract/index.ts";
import type { AskOptions } from "../models/model.ts";

/** The options that a provider is told; the others (signal, key, callbacks, retries) are between us and the library. */
const told = [
  "temperature",
  "maxTokens",
  "samplingParams",
  "reasoning",
  "thinkingBudgets",
  "toolChoice",
  "cacheRetention",
  "deferred",
  "metadata",
] as const satisfies (keyof AskOptions)[];

/**
 * The request to a model, as the record keeps it: the model with its limits, the options, the messages. The times of messages
 * are left out: providers do not get them, and without them a repeated part of a request is equal to the earlier one.
 */
export function requestOf(
  model: Model<Api>,
  messages: readonly Message[],
  options: AskOptions = {},
): unknown {
  const { api, provider, id, baseUrl, reasoning, contextWindow, maxTokens } = model;
  const given = told.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  return {
    model: { api, provider, id, baseUrl, reasoning, contextWindow, maxTokens },
    options: Object.fromEntries(given),
    messages: messages.map(({ timestamp: _timestamp, ...message }) => message),
  };
}

/** What the record keeps of a question to a model. @param tools how many it was offered */
export function askedOf(
  index: number,
  model: Model<Api>,
  messages: readonly Message[],
  tools: number,
  options: AskOptions = {},
): RecordFact & { type: "model_asked" } {
  const { reasoning } = options;
  return {
    type: "model_asked",
    index,
    messages: messages.filter(({ role }) => role !== "system").length,
    tools,
    ...(reasoning !== undefined && { thinking: reasoning }),
    request: requestOf(model, messages, options),
  };
}

/** The answer of a model, as the record keeps it. It is copied, because hooks may put another text into it afterwards. */
export function answerOf(
  message: AssistantMessage,
  problem: Problem | null,
): RecordFact & { type: "model_answered" } {
  const { input, output, cacheRead, cacheWrite, reasoning } = message.usage;
  const thinking = reasoning !== undefined && { thinking: reasoning };
  return {
    type: "model_answered",
    model: message.responseModel ?? message.model,
    stopReason: message.stopReason,
    usage:
      input + output + cacheRead + cacheWrite > 0
        ? { input, output, cacheRead, cacheWrite, ...thinking }
        : null,
    ...costOf(message),
    problem,
    response: structuredClone(message),
  };
}

/** What an answer cost. A model whose price is not known has prices of 0; then nothing is said. */
function costOf({ usage }: AssistantMessage): { cost?: RecordEventOf<"model_answered">["cost"] } {
  const { input, output, cacheRead, cacheWrite, total } = usage.cost;
  return total > 0 ? { cost: { input, output, cacheRead, cacheWrite, total } } : {};
}
