import { expect, test } from "vitest";
import { commandIn, hintAfter, nearestCommand } from "./command-words.ts";

const commands = ["help", "new", "forecast", "Forecast"].map((name) => ({
  name,
  description: "",
  owner: null,
}));

test.each([
  ["/forecast", ""],
  ["/forecast ", "<place> [how many days] …"],
  ["/forecast Be", " [how many days] …"],
  ["/forecast Bern ", "[how many days] …"],
  ["/forecast Bern 3", " …"],
  ["/forecast Bern 3 more and more", ""],
])("after %j the hint still says %j", (text, rest) => {
  expect(hintAfter(text, "<place> [how many days] …")).toBe(rest);
});

test("no hint says nothing", () => expect(hintAfter("/new ", undefined)).toBe(""));

test("a command is found whatever its case, the exact one first", () => {
  expect(commandIn("/Forecast Bern", commands)).toBe(commands[3]);
  expect(commandIn("/HELP", commands)?.name).toBe("help");
  expect(commandIn("/forecas", commands)).toBeUndefined();
  expect(commandIn("no /help", commands)).toBeUndefined();
});

test("an unknown command has the nearest one, or none", () => {
  expect(nearestCommand("/forcast Bern", commands)?.name).toBe("forecast");
  expect(nearestCommand("/hepl", commands)?.name).toBe("help");
  expect(nearestCommand("/elephant", commands)).toBeUndefined();
});
