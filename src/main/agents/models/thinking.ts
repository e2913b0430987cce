import { type Api, clampThinkingLevel, type Model, type SimpleStreamOptions } from "@earendil-works/pi-ai";

/** What is known of how a model thinks: whether it does, and what it calls the levels. */
export type Thinks = Pick<Model<Api>, "reasoning" | "thinkingLevelMap">;

/**
 * The model as it is asked with a level of thinking. A model that is not known to think is asked as ever: a request that it
 * does not understand would fail.
 */
export function thinkingModel(model: Model<Api>, thinks: Thinks | null, level: unknown): Model<Api> {
  return level === undefined || !thinks?.reasoning ? model : { ...model, ...thinks };
}

/** The level in the words of OpenAI's chat completions. */
export function effortOf(
  model: Model<Api>,
  level: SimpleStreamOptions["reasoning"],
): { reasoningEffort?: string } {
  if (level === undefined || !model.reasoning) return {};
  const effort = clampThinkingLevel(model, level);
  return effort === "off" ? {} : { reasoningEffort: effort };
}

/** What the library's lists say of an OpenAI model; null for one that they do not have. */
export async function openaiThinks(id: string): Promise<Thinks | null> {
  const { OPENAI_MODELS } = await import("@earendil-works/pi-ai/providers/openai.models");
  return thinksIn(Object.values(OPENAI_MODELS), id);
}

/** The same of a Claude model. */
export async function claudeThinks(id: string): Promise<Thinks | null> {
  const { ANTHROPIC_MODELS } = await import("@earendil-works/pi-ai/providers/anthropic.models");
  return thinksIn(Object.values(ANTHROPIC_MODELS), id);
}

function thinksIn(models: readonly Model<Api>[], id: string): Thinks | null {
  const known = models.find((model) => model.id === id);
  if (!known) return null;
  const { reasoning, thinkingLevelMap } = known;
  return { reasoning, ...(thinkingLevelMap && { thinkingLevelMap }) };
}
