import type { TFunction } from "i18next";
import type { ListedModel } from "../../../contract/models/listed.ts";
import { formatCount, formatNumber } from "../../base/i18n/time.ts";

/** What is known of a model, in one line; empty: nothing. */
export function factsOf({ contextWindow, pictures, thinking, price }: ListedModel, t: TFunction): string {
  return [
    contextWindow !== null && t("model.fact.context", { tokens: formatCount(contextWindow) }),
    pictures && t("model.fact.pictures"),
    thinking.length > 0 && t("model.fact.thinks"),
    price &&
      t("model.fact.price", { input: formatNumber(price.input, 2), output: formatNumber(price.output, 2) }),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The models whose name or title has all the words that were typed. */
export function matching(models: readonly ListedModel[], typed: string): ListedModel[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ id, name }) => {
    const text = `${id} ${name}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
