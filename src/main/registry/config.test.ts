import { describe, expect, it } from "vitest";
import { type Capabilities, type Declaration, PatchbayError } from "../../contract/index.ts";
import { wrapConfig } from "../runtimes/native/manifest/wrap-settings.ts";
import { type ConfigFieldError, validateConfig } from "./index.ts";

const declaration = (
  configSchema: Declaration["configSchema"],
  more: Partial<Declaration> = {},
): Declaration => ({
  configSchema,
  flatConfig: false,
  defaultConfig: null,
  secretKeys: [],
  requiredHooks: [],
  ...more,
});

const reference = (name: string) => `\${${name}}`;

function refusal(work: () => unknown): { message: string; fields: ConfigFieldError[] } {
  try {
    work();
  } catch (error) {
    if (!(error instanceof PatchbayError)) throw error;
    expect(error.code).toBe("CONFIG_INVALID");
    return { message: error.message, fields: error.details?.fields as ConfigFieldError[] };
  }
  throw new Error("the settings were accepted");
}

describe("wrapping settings", () => {
  const tools: Capabilities = { tools: { namespace: "x" } };
  const both: Capabilities = { ...tools, hooks: { events: [] } };
  const wrap = (capabilities: Capabilities, config: unknown, schema: Declaration["configSchema"] = null) =>
    wrapConfig({ configSchema: schema }, capabilities, config);

  it.each<[string, Capabilities, unknown, unknown]>([
    ["flat settings of one capability are wrapped", tools, { city: "Rome" }, { tools: { city: "Rome" } }],
    ["wrapped ones are left alone", tools, { tools: { city: "Rome" } }, { tools: { city: "Rome" } }],
    ["none stay none", tools, {}, {}],
    [
      "those of several capabilities are left alone",
      both,
      { tools: {}, hooks: { a: 1 } },
      { tools: {}, hooks: { a: 1 } },
    ],
    [
      "those of a plugin without these capabilities are left alone",
      { commands: { names: [] } },
      { a: 1 },
      { a: 1 },
    ],
    [
      "a text with the name of a part is a flat setting",
      { channel: { hasSetup: false } },
      { channel: "#general" },
      { channel: { channel: "#general" } },
    ],
  ])("%s", (_, capabilities, config, expected) => {
    expect(wrap(capabilities, config)).toEqual(expected);
  });

  it("a flat setting that the schema names like a part is wrapped", () => {
    const schema = { properties: { hooks: { type: "object" }, city: {} } };
    expect(wrap(tools, { hooks: { a: 1 }, city: "x" }, schema)).toEqual({
      tools: { hooks: { a: 1 }, city: "x" },
    });
  });

  it("what the schema puts beside the parts may stay there", () => {
    const schema = { properties: { shared: {}, tools: {} } };
    expect(wrap(both, { shared: 1, tools: {} }, schema)).toEqual({ shared: 1, tools: {} });
  });

  it.each<[string, Capabilities, unknown, string]>([
    ["no object", tools, ["x"], ""],
    ["nothing", tools, null, ""],
    ["a part that the plugin does not have", tools, { channel: { a: 1 } }, "channel"],
    ["flat and wrapped at once", tools, { tools: { a: 1 }, city: "x" }, "city"],
    ["flat settings of several capabilities", both, { city: "x" }, "city"],
    ["a part that is no object", both, { tools: 5 }, "tools"],
  ])("%s is refused, and the place is named", (_, capabilities, config, path) => {
    const { message, fields } = refusal(() => wrap(capabilities, config));
    expect(fields).toEqual([{ path, message }]);
    if (path) expect(message).toContain(`\`${path}\``);
  });
});

describe("checking settings against the plugin's schema", () => {
  const schema = {
    type: "object",
    properties: {
      url: { type: "string", format: "uri" },
      mode: { type: "string", enum: ["fast", "slow"] },
      kind: {
        oneOf: [
          { const: "a", title: "A" },
          { const: "b", title: "B" },
        ],
      },
      code: { type: "string", pattern: "^[0-9]{4}$", minLength: 4, maxLength: 4 },
      port: { type: "integer", minimum: 1 },
      maybe: { anyOf: [{ type: "string", format: "email" }, { type: "null" }] },
      hosts: {
        type: "array",
        items: { type: "object", properties: { host: { type: "string" } }, required: ["host"] },
      },
    },
    required: ["url"],
    additionalProperties: false,
  };
  const whole = declaration({ type: "object", properties: { tools: schema } });
  const fieldsOf = (config: Record<string, unknown>, of = whole) =>
    refusal(() => validateConfig(of, config)).fields;

  it("accepts what fits, and anything where there is no schema", () => {
    validateConfig(whole, {
      tools: {
        url: "https://a.b/c",
        mode: "fast",
        kind: "a",
        code: "1234",
        port: 5,
        maybe: null,
        hosts: [{ host: "x" }],
      },
    });
    validateConfig(declaration(null), { anything: 1 });
  });

  it("names every field that does not, with a sentence each", () => {
    const config = {
      tools: { url: "x", mode: "warp", code: "12", port: 0, hosts: [{}, { host: 1 }], extra: 1 },
    };
    expect(fieldsOf(config)).toEqual([
      { path: "tools.extra", message: "`tools.extra` is not a setting of this plugin." },
      { path: "tools.url", message: "`tools.url` must be an address such as https://example.com." },
      { path: "tools.mode", message: '`tools.mode` must be one of "fast", "slow".' },
      { path: "tools.code", message: expect.stringMatching(/^`tools\.code` .*\.$/) },
      { path: "tools.port", message: "`tools.port` must be at least 1." },
      { path: "tools.hosts[0].host", message: "`tools.hosts[0].host` is missing." },
      { path: "tools.hosts[1].host", message: "`tools.hosts[1].host` must be a text." },
    ]);
  });

  it("starts paths inside the one part when the schema is flat", () => {
    const flat = declaration(schema, { flatConfig: true });
    validateConfig(flat, { tools: { url: "https://a.b" } });
    expect(fieldsOf({ tools: { url: 5 } }, flat)).toEqual([
      { path: "url", message: "`url` must be a text." },
    ]);
    expect(fieldsOf({}, flat)).toEqual([{ path: "url", message: "`url` is missing." }]);
  });

  it.each(["url", "mode", "kind", "code", "maybe"])(
    "takes a reference to a secret for the text %s",
    (field) => {
      const text = field === "url" ? `https://x/${reference("PATH")} y` : reference("NAME");
      validateConfig(whole, { tools: { url: "https://a.b", [field]: text } });
      validateConfig(whole, { tools: { url: "https://a.b", [field]: "${{NAME}}" } });
    },
  );

  it("does not take one for a number or an object", () => {
    expect(fieldsOf({ tools: { url: "https://a.b", port: reference("PORT") } })).toHaveLength(1);
    expect(fieldsOf({ tools: reference("ALL") })).toEqual([
      { path: "tools", message: "`tools` must be an object." },
    ]);
  });

  it("takes one for a declared secret of any type", () => {
    const secretKeys = [{ key: "port", label: "Port", section: "tools" as const }];
    validateConfig({ ...whole, secretKeys }, { tools: { url: "https://a.b", port: reference("PORT") } });
    validateConfig(declaration(schema, { flatConfig: true, secretKeys }), {
      tools: { url: "https://a.b", port: reference("PORT") },
    });
  });

  it("reads draft 7 when the schema says so", () => {
    const older = declaration({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } },
    });
    validateConfig(older, { pair: ["a", 1] });
    expect(fieldsOf({ pair: ["a", "b"] }, older)).toHaveLength(1);
  });

  it("keeps two plugins apart whose schemas have the same $id", () => {
    const one = declaration({ $id: "https://x.y/s", properties: { a: { type: "string" } } });
    const two = declaration({ $id: "https://x.y/s", properties: { a: { type: "number" } } });
    validateConfig(one, { a: "x" });
    validateConfig(two, { a: 1 });
    expect(fieldsOf({ a: 1 }, one)).toHaveLength(1);
  });

  it("keeps the patterns of two schemas apart", () => {
    const pattern = (text: string) => declaration({ properties: { a: { type: "string", pattern: text } } });
    validateConfig(pattern("^x$"), { a: "x" });
    validateConfig(pattern("^y$"), { a: "y" });
    expect(fieldsOf({ a: "x" }, pattern("^y$"))).toHaveLength(1);
  });

  it("does not hang on a pattern that takes for ever", () => {
    const slow = declaration({ properties: { a: { type: "string", pattern: "^(a+)+$" } } });
    const started = performance.now();
    expect(fieldsOf({ a: `${"a".repeat(60)}!` }, slow)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("does not change the settings", () => {
    const defaults = declaration({ properties: { a: { type: "string", default: "x" } } });
    const config = {};
    validateConfig(defaults, config);
    expect(config).toEqual({});
  });
});
