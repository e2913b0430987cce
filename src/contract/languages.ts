/** The languages of the screens. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** What was chosen for the screens, or else the language in which this program was started, as its environment says. */
export function spokenLanguage(choice: Language | "system"): Language {
  return choice === "system" ? systemLanguage([new Intl.DateTimeFormat().resolvedOptions().locale]) : choice;
}

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
