import type { Api, Model } from "@earendil-works/pi-ai";
import type { ModelConfig } from "../../../contract/index.ts";

/**
 * The model with the provider's list prices, in US dollars per million tokens. A model that the library's lists do not have
 * stays without: its prices are 0, and nothing is said of what its answers cost.
 */
export async function priced(model: Model<Api>, kind: ModelConfig["kind"]): Promise<Model<Api>> {
  const known = (await listOf(kind)).find(({ id }) => id === model.id);
  return known ? { ...model, cost: known.cost } : model;
}

async function listOf(kind: ModelConfig["kind"]): Promise<readonly Model<Api>[]> {
  switch (kind) {
    case "anthropic":
      return Object.values(
        (await import("@earendil-works/pi-ai/providers/anthropic.models")).ANTHROPIC_MODELS,
      );
    case "openai":
      return Object.values((await import("@earendil-works/pi-ai/providers/openai.models")).OPENAI_MODELS);
    default:
      return [];
  }
}
