import type { Api, Model, ProviderHeaders, ProviderStreams } from "@earendil-works/pi-ai";
import type { HttpModelConfig } from "../../../contract/index.ts";
import { catalogueOf, knownModel } from "./catalogue.ts";

type OfKind<K extends HttpModelConfig["kind"]> = Extract<HttpModelConfig, { kind: K }>;

/** The longest answer of a model that is on no list: where a provider insists on one it is said, elsewhere left to it. */
const unknownMaxTokens = (api: Api) => (api === "anthropic-messages" ? 8_192 : 0);
const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** A model as the library is to ask it, and whether anything is known of it beside its name. */
export interface AskableModel {
  model: Model<Api>;
  isKnown: boolean;
}

export async function askableModel(config: HttpModelConfig): Promise<AskableModel> {
  const known = await knownModel(config);
  const model = await modelOf(config, known);
  return { model, isKnown: known !== undefined };
}

async function modelOf(config: HttpModelConfig, known: Model<Api> | undefined): Promise<Model<Api>> {
  const named = {
    id: config.model,
    name: config.model,
    provider: config.kind,
    reasoning: false,
    input: ["text" as const, "image" as const],
    cost: free,
  };
  switch (config.kind) {
    case "anthropic":
      return {
        ...named,
        contextWindow: 200_000,
        maxTokens: 8_192,
        ...known,
        provider: config.kind,
        api: "anthropic-messages",
        baseUrl: config.baseUrl ?? "https://api.anthropic.com",
      };
    case "openai": {
      // What is known holds for its responses; by its chat completions it is asked for less.
      const { compat: _compat, ...limits } = known ?? { contextWindow: 128_000, maxTokens: 0 };
      return {
        ...named,
        ...limits,
        provider: config.kind,
        api: "openai-completions",
        baseUrl: config.baseUrl ?? "https://api.openai.com/v1",
      };
    }
    case "openai-compatible":
      return {
        ...named,
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
    case "provider": {
      const like = known ?? (await likeOthersOf(config));
      return { ...like, baseUrl: config.baseUrl ?? addressOf(config, like.baseUrl) };
    }
  }
}

/** A model of a provider that is on no list: asked as most of that provider's are, and for nothing that not all can. */
async function likeOthersOf({ provider, model: id }: OfKind<"provider">): Promise<Model<Api>> {
  const others = await catalogueOf(provider);
  const apis = Map.groupBy(others, ({ api, baseUrl }) => `${api} ${baseUrl}`);
  const [usual] = [...apis.values()].sort((left, right) => right.length - left.length)[0] ?? [];
  if (!usual) throw new Error(`nothing is known of ${provider}`);
  const { api, baseUrl, headers } = usual;
  return {
    id,
    name: id,
    api,
    baseUrl,
    provider,
    reasoning: false,
    input: ["text", "image"],
    cost: free,
    contextWindow: 0,
    maxTokens: unknownMaxTokens(api),
    ...(headers && { headers }),
  };
}

/** The address of a provider, with what the person named put into it. */
export function addressOf({ provider, options = {} }: OfKind<"provider">, usual: string): string {
  if (provider === "azure-openai-responses" && options.resource)
    return `https://${options.resource}.openai.azure.com/openai/v1`;
  if (provider === "amazon-bedrock" && options.region)
    return `https://bedrock-runtime.${options.region}.amazonaws.com`;
  return usual
    .replaceAll("{CLOUDFLARE_ACCOUNT_ID}", options.account ?? "")
    .replaceAll("{CLOUDFLARE_GATEWAY_ID}", options.gateway ?? "");
}

/** What a provider is told with each request beside the model, the messages and the key. */
export function requestOptions(
  config: HttpModelConfig,
  { key, sessionId }: { key: string; sessionId?: string | undefined },
): { apiKey: string; headers?: ProviderHeaders; env?: Record<string, string>; azureApiVersion?: string } {
  if (config.kind !== "provider") return { apiKey: key };
  const { region, apiVersion } = config.options ?? {};
  switch (config.provider) {
    case "cloudflare-ai-gateway":
      return {
        apiKey: "none",
        headers: { "cf-aig-authorization": `Bearer ${key}`, Authorization: null, "x-api-key": null },
      };
    case "opencode":
    case "opencode-go":
      return { apiKey: key, ...(sessionId && { headers: { "x-opencode-session": sessionId } }) };
    case "azure-openai-responses":
      return { apiKey: key, ...(apiVersion && { azureApiVersion: apiVersion }) };
    case "amazon-bedrock":
      return { apiKey: key, ...(region && { env: { AWS_REGION: region } }) };
    default:
      return { apiKey: key };
  }
}

/** Whether the library hands its requests to a `fetch` of ours, uses the one of the process, or speaks by itself. */
export function fetches(api: Api): "ours" | "global" | "own" {
  if (api === "google-generative-ai" || api === "google-vertex") return "global";
  return api === "bedrock-converse-stream" ? "own" : "ours";
}

/** The part of the library that speaks a protocol, loaded with the first model of it. */
export async function streamsFor(api: Api): Promise<ProviderStreams> {
  // Each module is written for its own API; a model comes with no other.
  return (await moduleOf(api)) as unknown as ProviderStreams;
}

function moduleOf(api: Api): Promise<unknown> {
  switch (api) {
    case "anthropic-messages":
      return import("@earendil-works/pi-ai/api/anthropic-messages");
    case "openai-responses":
      return import("@earendil-works/pi-ai/api/openai-responses");
    case "azure-openai-responses":
      return import("@earendil-works/pi-ai/api/azure-openai-responses");
    case "google-generative-ai":
      return import("@earendil-works/pi-ai/api/google-generative-ai");
    case "google-vertex":
      return import("@earendil-works/pi-ai/api/google-vertex");
    case "mistral-conversations":
      return import("@earendil-works/pi-ai/api/mistral-conversations");
    case "bedrock-converse-stream":
      return import("@earendil-works/pi-ai/api/bedrock-converse-stream");
    default:
      return import("@earendil-works/pi-ai/api/openai-completions");
  }
}
