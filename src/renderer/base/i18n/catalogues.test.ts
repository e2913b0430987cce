import { expect, test } from "vitest";
import { de } from "./de.ts";
import { en } from "./en.ts";

const keys = Object.keys(en) as (keyof typeof en)[];
const gaps = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

test("both languages have the same sentences, in the same order of subjects", () => {
  expect(Object.keys(de).sort()).toEqual([...keys].sort());
});

test.each(keys)("%s names the same things in German", (key) => {
  expect(de[key].trim()).not.toBe("");
  expect(gaps(de[key])).toEqual(gaps(en[key]));
});

test("each plural form that a language needs is there", () => {
  const plural = keys.filter((key) => key.endsWith("_other"));
  expect(plural.length).toBeGreaterThan(5);
  for (const language of ["en", "de"])
    for (const form of new Intl.PluralRules(language).resolvedOptions().pluralCategories)
      for (const key of plural) expect(keys).toContain(key.replace(/_other$/, `_${form}`));
});
