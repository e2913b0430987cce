/** The languages of the screens. */
export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** The languages that the environment of a program names, the first one first: none, or one tag. */
export function namedLanguages(env: Readonly<Record<string, string | undefined>>): string[] {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
  const tag = named.replace(/[._@].*$/, "");
  return tag === "" ? [] : [tag];
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
