import { i18n } from "../../base/i18n/index.ts";

/** What the core calls the source of the plugins that come with it. */
const BUILT_IN = "Built in";

/** Where an entry was found, in the language of the screens: a catalogue's own name stays as it is. */
export function sourceName(source: string): string {
  return source === BUILT_IN ? i18n.t("trust.built-in") : source;
}
