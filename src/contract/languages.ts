/** What Patchbay can be read in. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** The first language of the system that Patchbay speaks; English when there is none. `preferred` are tags as `de-CH`. */
export function systemLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const known = languages.find((language) => language === tag.toLowerCase().split("-")[0]);
    if (known) return known;
  }
  return "en";
}
