import type { CatalogEntry } from "../../../../contract/job.ts";
import { useCatalogue } from "../../../features/catalogue/use-catalogue.ts";

const most = 3;

/** The plugins that the welcome offers: the first of those that come with Patchbay. */
export function useSuggested() {
  const { entries, problem } = useCatalogue("");
  const suggested: CatalogEntry[] = entries.filter((entry) => entry.trust === "built-in").slice(0, most);
  return { suggested, problem };
}
