/** What some providers want to know besides a key, to find the right place. */
export const providerOptions = ["account", "gateway", "region", "resource", "apiVersion"] as const;
export type ProviderOption = (typeof providerOptions)[number];

/** What a person has to know of a provider to choose it. */
export interface ModelProvider {
  /** As it calls itself; not translated. */
  name: string;
  /** Two letters at most, for its mark. */
  mark: string;
  /** The secret that its key is stored under when nobody says otherwise. */
  keyVariable: string;
  /** Where its keys are made; absent: in its own console, at no address that stays. */
  keysAt?: string;
  /** Needed besides the key; one with `?` may stay empty. */
  needs?: readonly (ProviderOption | `${ProviderOption}?`)[];
  /** It tells its models to anybody, so that a list says nothing of the key. */
  openList?: true;
  /** It has no list that could be asked for. */
  noList?: true;
}

/**
 * The providers that can be chosen beside Anthropic and any address. Left out of what the library speaks with: those that are
 * signed in to as another program (ChatGPT, GitHub Copilot), and a gateway that only speaks the library's own protocol.
 */
export const modelProviders = {
  openai: {
    name: "OpenAI",
    mark: "AI",
    keyVariable: "OPENAI_API_KEY",
    keysAt: "https://platform.openai.com/api-keys",
  },
  google: {
    name: "Google Gemini",
    mark: "G",
    keyVariable: "GEMINI_API_KEY",
    keysAt: "https://aistudio.google.com/apikey",
  },
  openrouter: {
    name: "OpenRouter",
    mark: "OR",
    keyVariable: "OPENROUTER_API_KEY",
    keysAt: "https://openrouter.ai/settings/keys",
    openList: true,
  },
  mistral: {
    name: "Mistral",
    mark: "M",
    keyVariable: "MISTRAL_API_KEY",
    keysAt: "https://console.mistral.ai/api-keys",
  },
  groq: { name: "Groq", mark: "gq", keyVariable: "GROQ_API_KEY", keysAt: "https://console.groq.com/keys" },
  xai: { name: "xAI", mark: "x", keyVariable: "XAI_API_KEY", keysAt: "https://console.x.ai" },
  deepseek: {
    name: "DeepSeek",
    mark: "DS",
    keyVariable: "DEEPSEEK_API_KEY",
    keysAt: "https://platform.deepseek.com/api_keys",
  },
  cerebras: {
    name: "Cerebras",
    mark: "C",
    keyVariable: "CEREBRAS_API_KEY",
    keysAt: "https://cloud.cerebras.ai",
  },
  together: {
    name: "Together",
    mark: "T",
    keyVariable: "TOGETHER_API_KEY",
    keysAt: "https://api.together.ai/settings/api-keys",
  },
  fireworks: {
    name: "Fireworks",
    mark: "F",
    keyVariable: "FIREWORKS_API_KEY",
    keysAt: "https://app.fireworks.ai/settings/users/api-keys",
    noList: true,
  },
  huggingface: {
    name: "Hugging Face",
    mark: "HF",
    keyVariable: "HF_TOKEN",
    keysAt: "https://huggingface.co/settings/tokens",
    openList: true,
  },
  nvidia: {
    name: "NVIDIA",
    mark: "N",
    keyVariable: "NVIDIA_API_KEY",
    keysAt: "https://build.nvidia.com",
    openList: true,
  },
  baseten: { name: "Baseten", mark: "B", keyVariable: "BASETEN_API_KEY" },
  "azure-openai-responses": {
    name: "Azure OpenAI",
    mark: "Az",
    keyVariable: "AZURE_OPENAI_API_KEY",
    needs: ["resource", "apiVersion?"],
    noList: true,
  },
  "amazon-bedrock": {
    name: "Amazon Bedrock",
    mark: "aws",
    keyVariable: "AWS_BEARER_TOKEN_BEDROCK",
    needs: ["region"],
    noList: true,
  },
  "google-vertex": {
    name: "Google Vertex AI",
    mark: "GV",
    keyVariable: "GOOGLE_CLOUD_API_KEY",
    noList: true,
  },
  "cloudflare-workers-ai": {
    name: "Cloudflare Workers AI",
    mark: "CF",
    keyVariable: "CLOUDFLARE_API_KEY",
    needs: ["account"],
    noList: true,
  },
  "cloudflare-ai-gateway": {
    name: "Cloudflare AI Gateway",
    mark: "CG",
    keyVariable: "CLOUDFLARE_API_KEY",
    needs: ["account", "gateway"],
    noList: true,
  },
  "vercel-ai-gateway": {
    name: "Vercel AI Gateway",
    mark: "V",
    keyVariable: "AI_GATEWAY_API_KEY",
    openList: true,
  },
  opencode: { name: "OpenCode Zen", mark: "OC", keyVariable: "OPENCODE_API_KEY", noList: true },
  "opencode-go": { name: "OpenCode Go", mark: "OG", keyVariable: "OPENCODE_API_KEY", noList: true },
  meta: { name: "Meta", mark: "Me", keyVariable: "META_API_KEY" },
  moonshotai: { name: "Moonshot AI", mark: "MS", keyVariable: "MOONSHOT_API_KEY" },
  "moonshotai-cn": { name: "Moonshot AI (China)", mark: "MS", keyVariable: "MOONSHOT_API_KEY" },
  "kimi-coding": { name: "Kimi For Coding", mark: "K", keyVariable: "KIMI_API_KEY", noList: true },
  minimax: { name: "MiniMax", mark: "MM", keyVariable: "MINIMAX_API_KEY", noList: true },
  "minimax-cn": { name: "MiniMax (China)", mark: "MM", keyVariable: "MINIMAX_CN_API_KEY", noList: true },
  zai: { name: "Z.AI", mark: "Z", keyVariable: "ZAI_API_KEY" },
  "zai-coding-cn": { name: "Z.AI Coding (China)", mark: "Z", keyVariable: "ZAI_CODING_CN_API_KEY" },
  "ant-ling": { name: "Ant Ling", mark: "AL", keyVariable: "ANT_LING_API_KEY" },
  "qwen-token-plan": { name: "Qwen Token Plan", mark: "Q", keyVariable: "QWEN_TOKEN_PLAN_API_KEY" },
  "qwen-token-plan-individual": {
    name: "Qwen Token Plan Individual",
    mark: "Q",
    keyVariable: "QWEN_TOKEN_PLAN_API_KEY",
  },
  "qwen-token-plan-cn": {
    name: "Qwen Token Plan (China)",
    mark: "Q",
    keyVariable: "QWEN_TOKEN_PLAN_CN_API_KEY",
  },
  xiaomi: { name: "Xiaomi", mark: "mi", keyVariable: "XIAOMI_API_KEY" },
  "xiaomi-token-plan-ams": {
    name: "Xiaomi Token Plan (Amsterdam)",
    mark: "mi",
    keyVariable: "XIAOMI_TOKEN_PLAN_AMS_API_KEY",
  },
  "xiaomi-token-plan-sgp": {
    name: "Xiaomi Token Plan (Singapore)",
    mark: "mi",
    keyVariable: "XIAOMI_TOKEN_PLAN_SGP_API_KEY",
  },
  "xiaomi-token-plan-cn": {
    name: "Xiaomi Token Plan (China)",
    mark: "mi",
    keyVariable: "XIAOMI_TOKEN_PLAN_CN_API_KEY",
  },
} as const satisfies Record<string, ModelProvider>;

export type ProviderId = keyof typeof modelProviders;
export const providerIds = Object.keys(modelProviders) as [ProviderId, ...ProviderId[]];

export function providerOf(id: ProviderId): ModelProvider {
  return modelProviders[id];
}
