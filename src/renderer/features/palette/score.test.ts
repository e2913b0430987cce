import { expect, test } from "vitest";
import { rank, score } from "./score.ts";

const entry = (text: string, also?: string) => ({ id: text, text, also });
const texts = (query: string, entries: string[], recent: string[] = []) =>
  rank(
    entries.map((text) => entry(text)),
    query,
    recent,
    10,
  ).map(({ text }) => text);

test("the beginning is worth more than a word within, and that more than scattered letters", () => {
  expect(texts("set", ["Reset limits", "Some settings", "Settings", "Show every tool"])).toEqual([
    "Settings",
    "Some settings",
    "Reset limits",
    "Show every tool",
  ]);
});

test("initials find a plugin; letters that are not there do not", () => {
  expect(texts("swo", ["Switch weather on", "Weather"])).toEqual(["Switch weather on"]);
  expect(score("Weather", "xyz")).toBe(0);
});

test("accents and case make no difference, and every word must fit", () => {
  expect(texts("BÜRO aus", ["Buro aus", "Büro an"])).toEqual(["Buro aus"]);
});

test("what was used lately comes first among what fits alike, and leads when nothing is typed", () => {
  expect(texts("open", ["Open a", "Open b"], ["Open b"])).toEqual(["Open b", "Open a"]);
  expect(texts("", ["One", "Two", "Three"], ["Three", "Two"])[0]).toBe("Three");
});

test("what a thing is also called finds it, after those that are called so", () => {
  const found = rank([entry("Appearance: Dark", "theme"), entry("Theme park")], "theme", [], 10);
  expect(found.map(({ text }) => text)).toEqual(["Theme park", "Appearance: Dark"]);
});
