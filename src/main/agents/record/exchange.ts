import type { Api, AssistantMessage, Message, Model } from "@earendil-works/pi-ai";
import type { Problem, RecordFact } from "../../../contract/index.ts";
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

/** The answer of a model, as the record keeps it. It is copied, because hooks may put another text into it afterwards. */
export function answerOf(
  message: AssistantMessage,
  problem: Problem | null,
): RecordFact & { type: "model_answered" } {
  const { input, output, cacheRead, cacheWrite } = message.usage;
  return {
    type: "model_answered",
    model: message.responseModel ?? message.model,
    stopReason: message.stopReason,
    usage: input + output + cacheRead + cacheWrite > 0 ? { input, output, cacheRead, cacheWrite } : null,
    problem,
    response: structuredClone(message),
  };
}
