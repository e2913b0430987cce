import type { Api, Model } from "@earendil-works/pi-ai";
import type {
  HttpModelConfig,
  ListedModel,
  ModelConfig,
  ModelThinking,
  ProviderId,
} from "../../../contract/index.ts";

/** Whose models the library has a list of. */
type Catalogue = ProviderId | "anthropic";

/** What the library's list says of a provider's models, with their limits and prices. Loaded when it is first wanted. */
export async function catalogueOf(provider: Catalogue): Promise<readonly Model<Api>[]> {
  // The package has one such module for each of its providers, with one list in it.
  const module: Record<string, Record<string, Model<Api>>> = await import(
    `@earendil-works/pi-ai/providers/${provider}.models`
  );
  return Object.values(Object.values(module)[0] ?? {});
}

/** The list that has the models of a configuration; null for an address of which nothing is known. */
export function catalogueFor(config: HttpModelConfig): Catalogue | null {
  switch (config.kind) {
    case "anthropic":
    case "openai":
      return config.kind;
    case "openai-compatible":
      return null;
    case "provider":
      return config.provider;
  }
}

/** What is known of the model of a configuration; undefined: nothing. */
export async function knownModel(config: HttpModelConfig): Promise<Model<Api> | undefined> {
  const catalogue = catalogueFor(config);
  if (catalogue === null) return undefined;
  return (await catalogueOf(catalogue)).find(({ id }) => id === config.model);
}

/** The same as screens show it; null: nothing. */
export async function knownModelOf(config: ModelConfig): Promise<ListedModel | null> {
  if (config.kind === "none" || config.kind === "scripted") return null;
  const model = await knownModel(config);
  return model ? listed(model) : null;
}

/** A model of the list, as screens show it. */
export async function listed(model: Model<Api>): Promise<ListedModel> {
  const { id, name, contextWindow, input, cost } = model;
  return {
    id,
    name,
    contextWindow: contextWindow > 0 ? contextWindow : null,
    pictures: input.includes("image"),
    thinking: await levelsOf(model),
    price: cost.input + cost.output > 0 ? { input: cost.input, output: cost.output } : null,
  };
}

/** The levels of thinking that a model can be set to; empty where it does not think. */
async function levelsOf(model: Model<Api> | undefined): Promise<ModelThinking[]> {
  if (!model?.reasoning) return [];
  const { getSupportedThinkingLevels } = await import("@earendil-works/pi-ai");
  return getSupportedThinkingLevels(model);
}
