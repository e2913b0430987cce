import type { CatalogEntry } from "../../../contract/job.ts";
import { i18n } from "../../base/i18n/index.ts";

/** Asks in one sentence whether one of these was meant. */
export function didYouMean(near: readonly CatalogEntry[]): string {
  const names = new Intl.ListFormat(i18n.language, { type: "disjunction" }).format(
    near.map((entry) => entry.displayName),
  );
  return i18n.t("near.didYouMean", { names });
}
