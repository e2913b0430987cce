import { expect, test } from "vitest";
import { nearNames } from "./near-names.ts";

const entry = (
  displayName: string,
  manifestKey = displayName.toLowerCase(),
  words?: Record<string, string>,
) => ({
  displayName,
  manifestKey,
  packageName: `@patchbay/plugin-${manifestKey}`,
  ...(words && { words: { de: words } }),
});
const entries = [
  entry("HTTP"),
  entry("Guard"),
  entry("Telegram"),
  entry("Slack"),
  entry("Discord"),
  entry("WeChat"),
  entry("Signal"),
  entry("XMPP"),
  entry("Weather report", "weather", { "Weather report": "Wetterbericht" }),
];
const near = (query: string) => nearNames(query, entries).map(({ displayName }) => displayName);

test.each([
  ["telegarm", "Telegram"],
  ["Telegramm", "Telegram"],
  ["tlegram", "Telegram"],
  ["salck", "Slack"],
  ["disocrd", "Discord"],
  ["we chat", "WeChat"],
  ["singal", "Signal"],
  ["htttp", "HTTP"],
  ["wether", "Weather report"],
  ["weather-reprot", "Weather report"],
])("“%s” is near to %s", (typed, meant) => expect(near(typed)[0]).toBe(meant));

test("a name is found by its German word, too", () =>
  expect(near("weterbericht")).toEqual(["Weather report"]));

test.each(["", "x", "ab", "guitar", "nothing-of-that-name", "plugin", "patchbay"])(
  "“%s” is near to nothing",
  (typed) => expect(near(typed)).toEqual([]),
);

test("the nearest comes first, and no more than asked for", () => {
  const many = ["letters", "lettres", "letter"].map((name) => entry(name));
  expect(nearNames("lettres", many, 2).map(({ displayName }) => displayName)).toEqual(["lettres", "letters"]);
});
