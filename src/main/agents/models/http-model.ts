import type { Api, Model } from "@earendil-works/pi-ai";
import type { HttpModelConfig } from "../../../contract/index.ts";
import type { Clock } from "../../base/clock.ts";
import { askedAgain } from "./asked-again.ts";
import { modelFailure } from "./exchange/model-failure.ts";
import { WatchedFetch } from "./exchange/watched-fetch.ts";
import type { AskOptions, ReadyModel } from "./model.ts";
import { askableModel, fetches, requestOptions, streamsFor } from "./provider-model.ts";
import { asksToThink } from "./thinking.ts";

/** A model behind HTTP. Libraries are loaded with the first one of their kind. */
export async function httpModelOf(
  config: HttpModelConfig,
  apiKey: string | undefined,
  clock: Clock,
): Promise<ReadyModel> {
  const { model } = await askableModel(config);
  const api = await streamsFor(model.api);
  const watch = new WatchedFetch(clock);
  const problemOf: ReadyModel["problemOf"] = ({ errorMessage, stopReason, rawStopReason }) =>
    modelFailure(
      watch.last,
      { baseUrl: model.baseUrl, model: model.id, hasKey: apiKey !== undefined },
      errorMessage ?? "",
      stopReason === "error" ? rawStopReason : undefined,
      clock.now(),
    );
  return {
    model,
    canSummarise: true,
    problemOf,
    stream: async (given, context, options = {}, heard) => {
      const { reasoning, ...plain } = options;
      const { sessionId, signal } = options;
      const asked = asksToThink(given, reasoning);
      const request = {
        ...plain,
        ...asked.options,
        // Local servers need no key, but the library insists on one.
        ...requestOptions(config, { key: apiKey ?? "none", sessionId }),
        ...(fetches(given.api) === "ours" && { fetch: watch.fetch }),
        // A failed call is tried again by ourselves, where the person sees it.
        maxRetries: 0,
        onPayload: keepsThoughts(given, options),
      };
      const ask = async () => {
        watch.last = { kind: "none" };
        const call = () =>
          given.maxTokens > 0
            ? api.streamSimple(asked.model, context, request)
            : // Of a server's own models nothing is known, not even how long they may speak.
              api.stream(asked.model, context, request);
        return fetches(given.api) === "global" ? watch.around(call) : call();
      };
      return heard ? askedAgain({ ask, problemOf, clock, signal, heard }) : ask();
    },
  };
}

/**
 * OpenAI keeps nothing of a conversation that it is not to store, and takes its own thoughts back only with what is
 * sealed in them. The library asks for that with a level of thinking alone; models think without one.
 */
function keepsThoughts(model: Model<Api>, options: AskOptions): AskOptions["onPayload"] {
  if (model.api !== "openai-responses" || !model.reasoning) return options.onPayload;
  return (payload) =>
    typeof payload === "object" && payload !== null && !("include" in payload)
      ? { ...payload, include: ["reasoning.encrypted_content"] }
      : undefined;
}
