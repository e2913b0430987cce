import { isObject } from "../../../../../contract/index.ts";
import { Fraction } from "./attributes.ts";

/** Names of providers in the conventions, where they differ from the library's. */
const providers: Record<string, string> = {
  google: "gcp.gemini",
  "google-vertex": "gcp.vertex_ai",
  "amazon-bedrock": "aws.bedrock",
  "azure-openai-responses": "azure.ai.openai",
  mistral: "mistral_ai",
  moonshotai: "moonshot_ai",
  xai: "x_ai",
};

interface AskedModel {
  provider?: string;
  id?: string;
  host?: string;
  port?: number;
  maxTokens?: number;
  temperature?: Fraction;
}

/** The model of a request and its address, as far as the record says it. */
export function modelIn(request: unknown): AskedModel {
  if (!isObject(request) || !isObject(request.model)) return {};
  const { provider, id, baseUrl } = request.model;
  const options = isObject(request.options) ? request.options : {};
  const url = typeof baseUrl === "string" && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const { maxTokens, temperature } = options;
  const named = typeof provider === "string" ? provider : undefined;
  return {
    ...(named && { provider: providers[named] ?? named }),
    ...(typeof id === "string" && { id }),
    ...(url?.hostname && { host: url.hostname, port: Number(url.port) || portOf(url) }),
    ...(typeof maxTokens === "number" && { maxTokens }),
    ...(typeof temperature === "number" && { temperature: new Fraction(temperature) }),
  };
}

function portOf({ protocol }: URL): number {
  return protocol === "http:" ? 80 : 443;
}
