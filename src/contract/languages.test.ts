import { expect, test } from "vitest";
import { systemLanguage } from "./languages.ts";

test.each([
  [["de-AT", "en"], "de"],
  [["fr-FR", "de", "en"], "de"],
  [["en-GB", "de"], "en"],
  [["fr", "ja"], "en"],
  [[], "en"],
])("of %j Patchbay speaks %s", (preferred, language) => {
  expect(systemLanguage(preferred)).toBe(language);
});
