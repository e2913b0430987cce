import { expect, test } from "vitest";
import { i18n, startI18n } from "./index.ts";
import { shownValue } from "./shown-value.ts";

test("a name in a sentence is clean, and cannot turn the words around it", async () => {
  expect(shownValue("Weather & more <3")).toBe("Weather & more <3");
  expect(shownValue("a\u202eb\u001b[2J")).toBe("a\ufffdb␛[2J");
  expect(shownValue("מזג אוויר")).toBe("\u2068מזג אוויר\u2069");
  await startI18n("en");
  expect(i18n.t("page.back", { agent: "A & \u202eB" })).toBe("Plugins of A & \ufffdB");
});
