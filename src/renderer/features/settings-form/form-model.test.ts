import { beforeAll, describe, expect, it } from "vitest";
import type { PluginView } from "../../../contract/plugin.ts";
import { startI18n } from "../../base/i18n/index.ts";
import { formModel, valueIn, withValueIn } from "./values/form-model.ts";
import { isShown } from "./values/hints.ts";
import { withNamedChoices } from "./values/named-choices.ts";

beforeAll(() => startI18n("en"));

function plugin(
  declaration: Partial<PluginView["declaration"]>,
  capabilities: PluginView["capabilities"],
): PluginView {
  const whole = {
    configSchema: null,
    defaultConfig: null,
    secretKeys: [],
    requiredHooks: [],
    ...declaration,
  };
  return { capabilities, declaration: whole } as unknown as PluginView;
}

const tools = { tools: { namespace: "x" } };
const city = { city: { type: "string" } };

describe("formModel", () => {
  it("shows a single section without a heading of its own", () => {
    const model = formModel(
      plugin(
        { configSchema: { type: "object", properties: { tools: { type: "object", properties: city } } } },
        tools,
      ),
    );
    expect(model.prefix).toEqual(["tools"]);
    expect(model.schema?.properties).toEqual(city);
  });

  it("begins in the part in which all settings lie, beside others too", () => {
    const part = { type: "object", properties: city };
    const configSchema = { type: "object", properties: { hooks: part, shared: { type: "string" } } };
    const model = formModel(plugin({ settingsRoot: ["hooks"], configSchema }, { hooks: { events: [] } }));
    expect(model.prefix).toEqual(["hooks"]);
    expect(model.schema?.properties).toEqual(city);
  });

  it("keeps references of the part to itself and to definitions of the whole", () => {
    const part = {
      type: "object",
      properties: {
        a: { $ref: "#/properties/tools" },
        b: { $ref: "#/$defs/B" },
        c: { $ref: "#/properties/tools/properties/b" },
      },
    };
    const configSchema = { $defs: { B: { type: "string" } }, type: "object", properties: { tools: part } };
    const { schema } = formModel(plugin({ settingsRoot: ["tools"], configSchema }, tools));
    expect(schema).toMatchObject({
      $defs: { B: { type: "string" } },
      properties: { a: { $ref: "#" }, b: { $ref: "#/$defs/B" }, c: { $ref: "#/properties/b" } },
    });
  });

  it("keeps several sections apart", () => {
    const configSchema = {
      type: "object",
      properties: { tools: { type: "object", properties: city }, hooks: { type: "object", properties: {} } },
    };
    expect(formModel(plugin({ configSchema }, { ...tools, hooks: { events: [] } })).prefix).toEqual([]);
  });

  it("takes secrets out of the form, wherever they stand", () => {
    const configSchema = {
      type: "object",
      properties: {
        tools: { type: "object", required: ["token"], properties: { ...city, token: { type: "string" } } },
      },
    };
    const model = formModel(
      plugin(
        { configSchema, secretKeys: [{ key: "token", label: "Token", path: ["tools", "token"] }] },
        tools,
      ),
    );
    expect(model.schema?.properties).toEqual(city);
    expect(model.schema?.required).toEqual([]);
  });

  it("has no form for a plugin that says nothing of its settings", () => {
    expect(formModel(plugin({}, tools)).schema).toBeNull();
  });
});

describe("the form's value", () => {
  it("goes back to where it came from and leaves the rest alone", () => {
    const config = { tools: { city: "Bern", other: 1 }, hooks: { a: 1 } };
    expect(valueIn(config, ["tools"])).toEqual({ city: "Bern", other: 1 });
    expect(withValueIn(config, ["tools"], { city: "Rome", other: 1 })).toEqual({
      tools: { city: "Rome", other: 1 },
      hooks: { a: 1 },
    });
  });
});

describe("isShown", () => {
  const url = { type: "string", "x-patchbay": { showWhen: { field: "mode", equals: "webhook" } } };

  it("hides what only makes sense with another value", () => {
    expect(isShown(url, { mode: "poll" })).toBe(false);
    expect(isShown(url, undefined)).toBe(false);
    expect(isShown(url, { mode: "webhook" })).toBe(true);
    expect(isShown({ type: "string" }, {})).toBe(true);
  });
});

describe("choices", () => {
  it("are named by their title, by what tells them apart, or by their kind", () => {
    const oneOf = [
      { title: "Own", type: "object" },
      { type: "object", properties: { kind: { const: "web_hook" } } },
      { type: "integer" },
      { type: "null" },
    ];
    const schema = { type: "object", properties: { list: { type: "array", items: { oneOf } } } };
    expect(withNamedChoices(schema)).toMatchObject({
      properties: {
        list: {
          items: {
            oneOf: [
              { title: "Own" },
              { title: "Web hook" },
              { title: "A whole number" },
              { title: "Nothing" },
            ],
          },
        },
      },
    });
  });
});
