import { expect, test } from "vitest";
import type { PluginView } from "../../../contract/plugin.ts";
import { holdsSecrets } from "./drafts.ts";
import { formModel } from "./values/form-model.ts";

const declared = [{ key: "apiKey", label: "Key", path: ["tools", "apiKey"] }];

/** Whether a draft of these settings counts as secret, for a plugin with these properties below `tools`. */
function isSecret(tools: object, properties: object | null, secretKeys: unknown[] = declared): boolean {
  const configSchema = properties && {
    type: "object",
    properties: { tools: { type: "object", properties } },
  };
  const plugin = { declaration: { configSchema, secretKeys } } as unknown as PluginView;
  return holdsSecrets({ tools }, formModel(plugin));
}

const plain = { town: { type: "string" }, apiKey: { type: "string" } };

test("settings with the name of a stored secret, or with none, are no secret", () => {
  expect(isSecret({ town: "Bern" }, plain)).toBe(false);
  expect(isSecret({ town: "Bern", apiKey: "" }, plain)).toBe(false);
  expect(isSecret({ town: "Bern", apiKey: "${WEATHER_API_KEY}" }, plain)).toBe(false);
});

test("a typed value of a declared secret is one", () => {
  expect(isSecret({ town: "Bern", apiKey: "abc" }, plain)).toBe(true);
});

test.each([
  ["a masked field", { word: { type: "string", format: "password" } }],
  ["a field that says so", { word: { type: "string", "x-patchbay": { secret: true } } }],
  [
    "one deep inside",
    { servers: { type: "array", items: { properties: { word: { format: "password" } } } } },
  ],
  ["no schema at all", null],
])("with %s nothing is known not to be secret", (_, properties) => {
  expect(isSecret({ town: "Bern" }, properties, [])).toBe(true);
});
