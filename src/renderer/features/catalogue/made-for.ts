import type { TFunction } from "i18next";
import type { CatalogEntry } from "../../../contract/job.ts";
import { i18n } from "../../base/i18n/index.ts";

/** Names of systems are the same in every language. */
const names = { macos: "macOS", linux: "Linux", windows: "Windows" } as const;

/** That it is made for other systems than this computer's, in a few words. */
export function madeForWords(systems: NonNullable<CatalogEntry["madeFor"]>, t: TFunction): string {
  const listed = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(
    systems.map((system) => names[system]),
  );
  return t("discover.madeFor", { systems: listed });
}
