import { z } from "zod";
import type { Agent, ModelConfig } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { resolveReferences } from "../../secrets/index.ts";
import type { SecretLookup } from "../ports.ts";
import { knownModel } from "./catalogue.ts";

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
  const prefix = `${config.kind === "provider" ? config.provider : config.kind}/`;
  const model = asked.startsWith(prefix) ? asked.slice(prefix.length) : asked;
  switch (config.kind) {
    case "none":
      return null;
    case "scripted":
      return model === "scripted" ? config : null;
    case "anthropic":
    case "openai":
    case "provider":
      return model === config.model || (await knownModel({ ...config, model })) ? { ...config, model } : null;
    case "openai-compatible": {
      if (model === config.model) return config;
      const { config: key } = resolveReferences(config.apiKey ?? "", (name) =>
        secrets.resolve(name, agent.id),
      );
      return (await isAt(config.baseUrl, key, model, clock)) ? { ...config, model } : null;
    }
  }
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
