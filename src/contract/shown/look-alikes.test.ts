import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mixedWord, ownNames, skeleton } from "./look-alikes.ts";

test.each([
  ["Тelegram", "Telegram"],
  ["TeIegram", "Telegram"],
  ["te1egram", "telegram"],
  ["Ѕlаck", "Slack"],
  ["Gu\u0430rd", "Guard"],
  ["Ｇuard", "Guard"],
  ["Guärd", "Guard"],
  ["Dіscοrd", "Discord"],
  ["SigпaI", "Signal"],
  ["Patchbаy", "Patchbay"],
  ["𝐏𝐚𝐭𝐜𝐡𝐛𝐚𝐲", "Patchbay"],
])("%s is %s in disguise", (name, known) => {
  expect(ownNames.find(name)).toEqual({
    known: known === "telegram" ? "Telegram" : known,
    likeness: "disguised",
  });
});

test.each([
  ["GUARD", "Guard"],
  [" guard! ", "Guard"],
  ["X M P P", "XMPP"],
])("%s is spelled as %s", (name, known) => {
  expect(ownNames.find(name)).toEqual({ known, likeness: "same" });
});

test.each(["Guardian", "Weather", "Телеграм", "Slack Export", "天気", "!!!", ""])(
  "%j is a name of its own",
  (name) => {
    expect(ownNames.find(name)).toBeUndefined();
  },
);

test("words of two scripts are found; names of two words are not", () => {
  expect(mixedWord("My Weаther")).toBe("Weаther");
  expect(mixedWord("Яндекс Weather")).toBeUndefined();
  expect(mixedWord("naïve Größe")).toBeUndefined();
  expect(skeleton("")).toBe("");
});

test("the names of all plugins that come with Patchbay are known", () => {
  const { plugins } = JSON.parse(readFileSync("resources/catalog.json", "utf8"));
  for (const { displayName } of plugins)
    expect(ownNames.find(displayName)).toMatchObject({ known: displayName });
});
