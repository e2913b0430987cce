import { expect, test } from "vitest";
import { errorCatalogue } from "./errors.ts";

const entries = Object.entries(errorCatalogue);
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z]{4,}/g) ?? []);

test("no next step only sends the reader back to what they have just read", () => {
  const back = entries.filter(([, { help }]) => /\bread (its|the) (message|details)\b/i.test(help));
  expect(back.map(([code]) => code)).toEqual([]);
  const corrects = entries.filter(([, { help }]) =>
    /^correct the (settings|fields?|arguments)\b[^,;.]*\.$/i.test(help),
  );
  expect(corrects.map(([code]) => code)).toEqual([]);
});

test("no next step says what the cause says", () => {
  const same = entries.filter(([, { cause, help }]) => {
    const said = wordsOf(cause);
    return [...wordsOf(help)].every((word) => said.has(word)) && wordsOf(help).size > 0;
  });
  expect(same.map(([code]) => code)).toEqual([]);
});
