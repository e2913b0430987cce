import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeExport } from "./manifest-facts.ts";
import { validateManifest } from "./validate-manifest.ts";

const start = async () => undefined;
const base = {
  manifestVersion: 1,
  key: "weather",
  displayName: "Weather",
  description: "Tells the weather.",
  tools: { namespace: "weather", start },
};

function inspect(manifest: unknown) {
  return validateManifest({
    package: { name: "weather", version: "1.0.0" },
    ...describeExport({ default: manifest }),
  });
}

describe("declared settings", () => {
  const declared = (more: object) => inspect({ ...base, ...more }).declaration;

  it("come from a zod type, flat when they speak of the one capability's own fields", () => {
    const declaration = declared({ configSchema: z.object({ city: z.string().min(1) }) });
    expect(declaration.details).toEqual({ flatConfig: true });
    expect(declaration.settingsRoot).toEqual(["tools"]);
    expect(declaration.configSchema).toMatchObject({
      type: "object",
      properties: { tools: { type: "object", properties: { city: { minLength: 1 } } } },
    });
  });

  it("of a library without JSON Schema are no reason to refuse the plugin", () => {
    const configSchema = { "~standard": { version: 1, vendor: "valibot", validate: () => ({}) } };
    const inspection = inspect({ ...base, configSchema });
    expect(inspection.declaration.configSchema).toBeNull();
    expect(inspection.warnings).toEqual([expect.stringContaining("valibot")]);
  });

  it("may hold what JSON has no word for", () => {
    const { configSchema } = declared({ configSchema: z.object({ since: z.date(), city: z.string() }) });
    expect(configSchema).toMatchObject({
      properties: { tools: { properties: { city: { type: "string" } } } },
    });
  });

  it.each([
    ["the wrapper", { type: "object", properties: { tools: { type: "object" } } }, false],
    ["fields of the capability", { type: "object", properties: { city: {}, tools: {} } }, true],
    ["a choice of forms", { anyOf: [{ properties: { city: {} } }, { properties: { zip: {} } }] }, true],
    ["a form by reference", { $ref: "#/$defs/A", $defs: { A: { properties: { city: {} } } } }, true],
    ["nothing in particular", { type: "object" }, false],
  ])("as a JSON Schema of %s: flat is told apart", (_, configSchema, flat) => {
    expect(declared({ configSchema }).details).toEqual({ flatConfig: flat });
  });

  it("of a plugin with two capabilities are never flat", () => {
    const more = { hooks: { start, events: ["turn.end@v1"] }, configSchema: { properties: { city: {} } } };
    expect(declared(more).details).toEqual({ flatConfig: false });
    expect(declared(more).settingsRoot).toBeUndefined();
  });

  it("of several capabilities each have their part", () => {
    const { configSchema, defaultConfig, secretKeys } = declared({
      tools: {
        ...base.tools,
        secretKeys: [{ key: "api_key", label: "API key", optional: true, help: "h", url: "https://x.y" }],
        defaultConfig: { unit: "C" },
      },
      hooks: {
        start,
        events: ["turn.end@v1"],
        required: true,
        configFields: [{ kind: "text", key: "tag", label: "Tag" }],
      },
      defaultConfig: { tools: { city: "Rome", unit: "F" } },
    });
    expect(Object.keys(configSchema?.properties as object)).toEqual(["tools", "hooks"]);
    expect(defaultConfig).toEqual({ tools: { city: "Rome", unit: "C" } });
    expect(secretKeys).toEqual([
      {
        key: "api_key",
        label: "API key",
        path: ["tools", "api_key"],
        optional: true,
        help: "h",
        url: "https://x.y",
      },
    ]);
  });

  it("of the older form description become a schema", () => {
    const { configSchema } = declared({
      configFields: [
        {
          kind: "select",
          key: "mode",
          label: "Mode",
          options: [{ value: "a", label: "A" }],
          defaultValue: "a",
          help: "Which",
        },
        {
          kind: "text",
          key: "name",
          label: "Name",
          placeholder: "Bob",
          showWhen: { field: "mode", equals: "a" },
        },
        { kind: "string_list", key: "ids", label: "Ids" },
        { kind: "webhook_url", label: "Webhook" },
      ],
    });
    expect(configSchema).toEqual({
      type: "object",
      properties: {
        tools: {
          type: "object",
          properties: {
            mode: {
              type: "string",
              oneOf: [{ const: "a", title: "A" }],
              default: "a",
              title: "Mode",
              description: "Which",
            },
            name: {
              type: "string",
              title: "Name",
              "x-patchbay": { placeholder: "Bob", showWhen: { field: "mode", equals: "a" } },
            },
            ids: { type: "array", items: { type: "string" }, title: "Ids" },
            webhook_url: {
              type: "string",
              readOnly: true,
              title: "Webhook",
              "x-patchbay": { kind: "webhook_url" },
            },
          },
        },
      },
    });
  });

  it("include permissions, required hooks, addresses and the icon", () => {
    const { declaration, consent } = inspect({
      ...base,
      permissions: { network: ["api.example.com"], files: "workspace", subprocess: false },
      hooks: { start, events: ["tool.before@v1"], required: true },
      homepage: "https://example.com",
      helpUrl: "https://example.com/help",
      icon: "data:image/png;base64,AAAA",
    });
    expect(declaration).toMatchObject({
      requiredHooks: ["tool.before@v1"],
      homepage: "https://example.com",
      helpUrl: "https://example.com/help",
      icon: "data:image/png;base64,AAAA",
    });
    expect(consent).toEqual({
      declared: true,
      enforced: false,
      hosts: ["api.example.com"],
      files: "workspace",
      programs: false,
      grants: [],
      scripts: [],
    });
  });
});
