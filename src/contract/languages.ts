/** The languages of the screens. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/**
 * The first of the system's preferred languages that Patchbay has; English when it has none of them. `preferred`:
 * language tags such as `de-CH`.
 */
export function systemLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const known = languages.find((language) => language === tag.toLowerCase().split("-")[0]);
    if (known) return known;
  }
  return "en";
}
