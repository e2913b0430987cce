import type { Api, Model, ProviderStreams } from "@earendil-works/pi-ai";
import type { ModelConfig } from "../../../contract/index.ts";
import { systemClock } from "../../base/clock.ts";
import type { ReadyModel } from "./model.ts";
import { type LastExchange, modelFailure, retryTime } from "./model-failure.ts";
import { priced } from "./price.ts";
import { claudeThinks, effortOf, openaiThinks, type Thinks, thinkingModel } from "./thinking.ts";

type HttpConfig = Extract<ModelConfig, { kind: "anthropic" | "openai" | "openai-compatible" }>;

/** A model behind HTTP. Libraries are loaded with the first one of their kind. */
export async function httpModelOf(config: HttpConfig, apiKey: string | undefined): Promise<ReadyModel> {
  let last: LastExchange = { kind: "none" };
  const watchedFetch: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, init);
      const answered = {
        kind: "answered" as const,
        status: response.status,
        contentType: response.headers.get("content-type") ?? "",
        retryAt: retryTime(response.headers.get("retry-after"), systemClock.now()),
        cut: false,
      };
      last = answered;
      return watched(response, () => {
        answered.cut = true;
      });
    } catch (error) {
      last = { kind: "unreachable", why: causeOf(error) };
      throw error;
    }
  };
  const model = await priced(await modelOf(config), config.kind);
  const api = await streamsFor(config);
  let thinks: Thinks | null | undefined;
  return {
    model,
    canSummarise: true,
    stream: async (given, context, options) => {
      const level = options?.reasoning;
      thinks ??= level === undefined ? undefined : await thinksOf(config);
      const asked = thinkingModel(given, thinks ?? null, level);
      last = { kind: "none" };
      // Local servers need no key, but the library insists on one.
      const key = apiKey ?? "none";
      const request = {
        ...options,
        apiKey: key,
        fetch: watchedFetch,
        maxRetries: 1,
        maxRetryDelayMs: 10_000,
      };
      return config.kind === "anthropic"
        ? api.streamSimple(asked, context, request)
        : api.stream(asked, context, { ...request, ...effortOf(asked, level) });
    },
    problemOf: ({ errorMessage }) => {
      const asked = { baseUrl: model.baseUrl, model: model.id, hasKey: apiKey !== undefined };
      return modelFailure(last, asked, errorMessage ?? "");
    },
  };
}

/** The same response, whose reader is told when the connection breaks while the body is read. */
function watched(response: Response, onCut: () => void): Response {
  if (!response.body) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        onCut();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** Null where nothing is known of how a model thinks: then it is never asked to. */
async function thinksOf(config: HttpConfig): Promise<Thinks | null> {
  switch (config.kind) {
    case "anthropic":
      return claudeThinks(config.model);
    case "openai":
      return openaiThinks(config.model);
    case "openai-compatible":
      return null;
  }
}

async function streamsFor(config: HttpConfig): Promise<ProviderStreams> {
  const streams =
    config.kind === "anthropic"
      ? await import("@earendil-works/pi-ai/api/anthropic-messages")
      : await import("@earendil-works/pi-ai/api/openai-completions");
  // Each module is written for its own API; `modelOf` gives it no other.
  return streams as unknown as ProviderStreams;
}

async function modelOf(config: HttpConfig): Promise<Model<Api>> {
  const common = {
    id: config.model,
    name: config.model,
    provider: config.kind,
    reasoning: false,
    input: ["text" as const, "image" as const],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  };
  switch (config.kind) {
    case "anthropic":
      return {
        ...common,
        api: "anthropic-messages",
        baseUrl: config.baseUrl ?? "https://api.anthropic.com",
        contextWindow: 200_000,
        maxTokens: 8_192,
        ...(await knownLimits(config.model)),
      };
    case "openai":
      return {
        ...common,
        api: "openai-completions",
        baseUrl: config.baseUrl ?? "https://api.openai.com/v1",
        contextWindow: 128_000,
        maxTokens: 16_384,
      };
    case "openai-compatible":
      return {
        ...common,
        api: "openai-completions",
        baseUrl: config.baseUrl,
        contextWindow: 0,
        maxTokens: 0,
        // Only the features that every OpenAI-compatible server has.
        compat: {
          supportsStore: false,
          supportsDeveloperRole: false,
          supportsReasoningEffort: false,
          maxTokensField: "max_tokens",
        },
      };
  }
}

/** Context size and longest answer of a known Claude model; empty for an unknown one. */
async function knownLimits(id: string): Promise<Partial<Model<Api>>> {
  const { ANTHROPIC_MODELS } = await import("@earendil-works/pi-ai/providers/anthropic.models");
  const known: Model<"anthropic-messages"> | undefined = Object.values(ANTHROPIC_MODELS).find(
    (model) => model.id === id,
  );
  if (!known) return {};
  const { contextWindow, maxTokens, compat, inputLimits } = known;
  return { contextWindow, maxTokens, compat, inputLimits };
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") {
    return words[cause.code] ?? cause.message.replace(/\.$/, "");
  }
  return (cause instanceof Error ? cause.message : error.message).replace(/\.$/, "");
}

const words: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "the name is not known",
  ETIMEDOUT: "it took too long",
  ECONNRESET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "it took too long",
};
