import { describe, expect, it } from "vitest";
import { type Declaration, PatchbayError } from "../../../contract/index.ts";
import { type ConfigFieldError, validateConfig } from "./validate-config.ts";

const declaration = (
  configSchema: Declaration["configSchema"],
  more: Partial<Declaration> = {},
): Declaration => ({
  configSchema,
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

  it("names fields without the part in which all settings lie, also when that part is not there", () => {
    const whole = { type: "object", properties: { tools: schema }, required: ["tools"] };
    const rooted = declaration(whole, { settingsRoot: ["tools"] });
    validateConfig(rooted, { tools: { url: "https://a.b" } });
    expect(fieldsOf({ tools: { url: 5 } }, rooted)).toEqual([
      { path: "tools.url", message: "`url` must be a text." },
    ]);
    expect(fieldsOf({}, rooted)).toEqual([{ path: "tools.url", message: "`url` is missing." }]);
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
    const secretKeys = [{ key: "port", label: "Port", path: ["tools", "port"] }];
    validateConfig({ ...whole, secretKeys }, { tools: { url: "https://a.b", port: reference("PORT") } });
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
    const started = process.cpuUsage();
    expect(fieldsOf({ a: `${"a".repeat(60)}!` }, slow)).toHaveLength(1);
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000);
  });

  it("does not change the settings", () => {
    const defaults = declaration({ properties: { a: { type: "string", default: "x" } } });
    const config = {};
    validateConfig(defaults, config);
    expect(config).toEqual({});
  });

  it("does not miss a required field that has a default, also deep in a part that is not there", () => {
    const deep = {
      type: "object",
      properties: {
        tools: {
          type: "object",
          properties: {
            limit: { type: "integer", default: 5 },
            retry: { type: "object", properties: { times: { default: 3 } }, required: ["times"] },
          },
          required: ["limit", "retry"],
        },
      },
      required: ["tools"],
    };
    validateConfig(declaration(deep, { settingsRoot: ["tools"] }), {});
    validateConfig(declaration(deep), { tools: { retry: {} } });
    const config = { tools: { limit: "many" } };
    expect(fieldsOf(config, declaration(deep))).toMatchObject([{ path: "tools.limit" }]);
  });

  it("lets a strict schema not know a declared secret, and nothing else", () => {
    const secretKeys = [{ key: "TOKEN", label: "Token", path: ["tools", "TOKEN"] }];
    const strict = { ...whole, secretKeys };
    const tools = { url: "https://a.b", TOKEN: reference("TOKEN") };
    validateConfig(strict, { tools });
    expect(fieldsOf({ tools: { ...tools, other: 1 } }, strict)).toMatchObject([{ path: "tools.other" }]);
    expect(fieldsOf({ tools }, whole)).toMatchObject([{ path: "tools.TOKEN" }]);
  });
});
