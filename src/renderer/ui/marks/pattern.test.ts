import { expect, test } from "vitest";
import { ownMarks } from "./own-marks.tsx";
import { patternOf } from "./pattern.ts";

const look = (key: string) => JSON.stringify(patternOf(key));

test("a key always has the same mark", () => expect(patternOf("weather")).toEqual(patternOf("weather")));

test("a thousand plugins with nearly the same names have marks that differ", () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `@team/listed-${index}`);
  expect(new Set(keys.map(look)).size).toBeGreaterThan(995);
});

test("a cable joins four or five different jacks", () => {
  for (const key of ["a", "b", "weather", "notes", "@team/x", "ümlaut"]) {
    const { cable, hue } = patternOf(key);
    expect(new Set(cable).size).toBe(cable.length);
    expect([4, 5]).toContain(cable.length);
    expect(hue).toBeGreaterThanOrEqual(0);
    expect(hue).toBeLessThan(360);
  }
});

test("the drawn marks do not share a colour", () => {
  const hues = [...ownMarks.values()].map(({ hue }) => hue).sort((a, b) => a - b);
  for (const [index, hue] of hues.entries()) expect(hue - (hues[index - 1] ?? hue - 360)).toBeGreaterThan(20);
});
