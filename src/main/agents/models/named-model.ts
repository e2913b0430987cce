import { z } from "zod";
import type { Agent, ModelConfig } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { resolveReferences } from "../../secrets/index.ts";
import type { SecretLookup } from "../ports.ts";

/** How long a server may take to say which models it has, in milliseconds. */
const patienceMs = 5_000;

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * The settings of an agent's model with another model of the same provider: `small`, or `anthropic/small`. Null when the
 * provider does not know it, or does not say, or there is no provider.
 */
export async function modelNamed(
  agent: Agent,
  asked: string,
  secrets: SecretLookup,
  clock: Clock = systemClock,
): Promise<ModelConfig | null> {
  const config = agent.model;
  const prefix = `${config.kind}/`;
  const model = asked.startsWith(prefix) ? asked.slice(prefix.length) : asked;
  switch (config.kind) {
    case "none":
      return null;
    case "scripted":
      return model === "scripted" ? config : null;
    case "anthropic":
    case "openai":
      return model === config.model || (await isKnown(config.kind, model)) ? { ...config, model } : null;
    case "openai-compatible": {
      if (model === config.model) return config;
      const { config: key } = resolveReferences(config.apiKey ?? "", (name) =>
        secrets.resolve(name, agent.id),
      );
      return (await isAt(config.baseUrl, key, model, clock)) ? { ...config, model } : null;
    }
  }
}

async function isKnown(kind: "anthropic" | "openai", model: string): Promise<boolean> {
  const models: readonly { id: string }[] =
    kind === "anthropic"
      ? Object.values((await import("@earendil-works/pi-ai/providers/anthropic.models")).ANTHROPIC_MODELS)
      : Object.values((await import("@earendil-works/pi-ai/providers/openai.models")).OPENAI_MODELS);
  return models.some(({ id }) => id === model);
}

async function isAt(baseUrl: string, key: string, model: string, clock: Clock): Promise<boolean> {
  const patience = new AbortController();
  const cancel = clock.after(patienceMs, () => patience.abort());
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, "")}/models`, {
      signal: patience.signal,
      redirect: "error",
      ...(key && { headers: { authorization: `Bearer ${key}` } }),
    });
    if (!response.ok) return false;
    return listSchema.parse(await response.json()).data.some(({ id }) => id === model);
  } catch {
    return false;
  } finally {
    cancel();
  }
}
