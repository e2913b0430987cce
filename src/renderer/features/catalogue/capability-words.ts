import type { CatalogEntry } from "../../../contract/job.ts";
import { i18n } from "../../base/i18n/index.ts";
import { capabilityKinds } from "../../model/filters.ts";

/** What it brings, as the chips of Discover call it: a person searches for these words, too. */
export function capabilityWords({ capabilities }: CatalogEntry): string[] {
  const words = capabilityKinds
    .filter((kind) => capabilities?.[kind])
    .map((kind) => i18n.t(`filter.capability.${kind}`));
  // In German the one is not a part of the many: "Kanal", "Kanäle".
  return capabilities?.channel ? [...words, i18n.t("capability.channel")] : words;
}
