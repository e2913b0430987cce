import { useEffect } from "react";
import { languages, systemLanguage } from "../../contract/languages.ts";
import type { Settings } from "../../contract/settings.ts";
import { i18n } from "../base/i18n/index.ts";
import { sayAnew, useMirror } from "./mirror.ts";

/** What the settings offer. */
export const languageChoices: Settings["language"][] = ["system", ...languages];

/** Keeps the screens in the chosen language. */
export function useLanguage(): void {
  const choice = useMirror((state) => state.settings?.language ?? "system");
  useEffect(() => {
    const follow = () => {
      const language = choice === "system" ? systemLanguage(navigator.languages) : choice;
      document.documentElement.lang = language;
      if (i18n.language !== language) void i18n.changeLanguage(language).then(sayAnew);
    };
    follow();
    window.addEventListener("languagechange", follow);
    return () => window.removeEventListener("languagechange", follow);
  }, [choice]);
}
