import { useEffect } from "react";
import { type Language, languages, type Settings } from "../../contract/app.ts";
import { useMirror } from "../store/mirror.ts";
import { i18n } from "./index.ts";

/** What the settings offer. */
export const languageChoices: Settings["language"][] = ["system", ...languages];

/** The first language of the system that the screens speak; English when there is none. */
export function systemLanguage(preferred: readonly string[]): Language {
  for (const tag of preferred) {
    const known = languages.find((language) => language === tag.toLowerCase().split("-")[0]);
    if (known) return known;
  }
  return "en";
}

/** Keeps the screens in the chosen language. */
export function useLanguage(): void {
  const choice = useMirror((state) => state.settings?.language ?? "system");
  useEffect(() => {
    const follow = () => {
      const language = choice === "system" ? systemLanguage(navigator.languages) : choice;
      document.documentElement.lang = language;
      if (i18n.language !== language) void i18n.changeLanguage(language);
    };
    follow();
    window.addEventListener("languagechange", follow);
    return () => window.removeEventListener("languagechange", follow);
  }, [choice]);
}
