import { expect, test } from "vitest";
import { settingsText } from "./settings-words.ts";

test("settings are one line of JSON, whatever is in them", () => {
  const config = { a: 1, text: "two\nlines  { ", deep: { list: [1, 2] } };
  const text = settingsText(config);
  expect(text).toBe('{ "a": 1, "text": "two\\nlines  { ", "deep": { "list": [ 1, 2 ] } }');
  expect(JSON.parse(text)).toEqual(config);
  expect(settingsText({})).toBe("{}");
});
