import type { TFunction } from "i18next";
import { isNamesake, namesakeWarning } from "../../../contract/shown/look-alikes.ts";

/** What is warned of about a plugin, as it is read on the screen. */
export interface WarningWords {
  text: string;
  /** Of the text, where that is not the screen's language. */
  lang?: "en";
}

/** The warnings about a plugin. What its author should mend is in the core's English; the rest is in the chosen language. */
export function warningWords(
  plugin: { displayName: string; packageName: string; warnings: readonly string[] },
  t: TFunction,
): WarningWords[] {
  const { displayName, packageName } = plugin;
  const namesake = isNamesake(plugin) ? namesakeWarning(plugin) : null;
  return plugin.warnings.map((warning) =>
    warning === namesake
      ? { text: t("consent.namesake", { name: displayName, package: packageName }) }
      : { text: warning, lang: "en" },
  );
}
