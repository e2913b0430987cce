import i18next, { type i18n as I18n } from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en.ts";
import { takeErrorWords } from "./error-words.ts";
import { takeKitWords } from "./kit-words.ts";
import { shownValue } from "./shown-value.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof en };
    keySeparator: false;
    nsSeparator: false;
    returnNull: false;
  }

  /**
   * Asked before the library's own signature, which works out the sentence of every key for some calls: with more than two
   * thousand of them the compiler gives up.
   */
  interface TFunction {
    // biome-ignore lint/style/useShorthandFunctionType: it is added to an interface of the library.
    (key: WordKey, words?: { readonly [name: string]: unknown; readonly count?: number }): string;
  }
}

/** A key of the catalogue; of one that counts also without its `_one` and `_other`. */
type WordKey = keyof typeof en extends infer Key
  ? Key extends `${infer Counted}_${"one" | "other"}`
    ? Key | Counted
    : Key
  : never;

export const i18n: I18n = i18next.createInstance();

/** English is there at once; other catalogues are loaded when their language is chosen. */
const catalogues = {
  type: "backend" as const,
  init() {},
  read(language: string, _namespace: string, done: (error: unknown, strings: object | null) => void) {
    if (language !== "de") return done(null, en);
    const lists = [
      import("./de.ts"),
      import("./de/errors.ts"),
      import("../../../contract/shown/kit-words-de.ts"),
    ] as const;
    Promise.all(lists).then(
      ([{ de }, { germanErrors }, { kitWordsDe }]) => {
        takeErrorWords(germanErrors);
        takeKitWords(kitWordsDe);
        done(null, de);
      },
      (error: unknown) => done(error, null),
    );
  },
};

/** Loads the catalogue of `language`; resolves before the first drawing. */
export async function startI18n(language: string): Promise<void> {
  await i18n
    .use(catalogues)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: "en",
      partialBundledLanguages: true,
      resources: { en: { translation: en } },
      keySeparator: false,
      nsSeparator: false,
      interpolation: { escapeValue: true, escape: shownValue },
      react: { useSuspense: false },
      returnNull: false,
    });
}
