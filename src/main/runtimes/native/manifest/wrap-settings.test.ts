import { describe, expect, it } from "vitest";
import { type Capabilities, type Declaration, PatchbayError } from "../../../../contract/index.ts";
import { compileSchema } from "../../config-schema.ts";
import { wholeSchema } from "./flat-schema.ts";
import { mergeWrapped, wrapConfig, wrapFromSetup } from "./wrap-settings.ts";

interface FieldError {
  path: string;
  message: string;
}

function refusal(work: () => unknown): { message: string; fields: FieldError[] } {
  try {
    work();
  } catch (error) {
    if (!(error instanceof PatchbayError)) throw error;
    expect(error.code).toBe("CONFIG_INVALID");
    return { message: error.message, fields: error.details?.fields as FieldError[] };
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

describe("what a setup gives", () => {
  const declaration = { configSchema: null };
  const channel: Capabilities = { channel: { hasSetup: true } };
  const both: Capabilities = { ...channel, tools: { namespace: "x" } };

  it("is put into the channel, which it speaks of, also beside tools", () => {
    expect(wrapFromSetup(declaration, channel, { room: "hall" })).toEqual({ channel: { room: "hall" } });
    expect(wrapFromSetup(declaration, both, { room: "hall" })).toEqual({ channel: { room: "hall" } });
    expect(wrapFromSetup(declaration, both, { tools: { a: 1 } })).toEqual({ tools: { a: 1 } });
  });

  it("is laid over hand-set settings part by part", () => {
    const base = { channel: { allowed: ["eva"], room: "attic" }, tools: { a: 1 } };
    expect(mergeWrapped(base, { channel: { room: "hall" } })).toEqual({
      channel: { allowed: ["eva"], room: "hall" },
      tools: { a: 1 },
    });
  });
});

describe("a schema that speaks of what is inside of the one part", () => {
  it("is the part of a whole one, where its references still lead to the same", () => {
    const flat = {
      type: "object",
      required: ["city"],
      properties: {
        city: { $ref: "#/$defs/City" },
        near: { $ref: "#" },
        twin: { $ref: "#/properties/city" },
      },
      $defs: { City: { type: "string", minLength: 3, default: "#" } },
    };
    const validate = compileSchema(wholeSchema(flat, "tools"));
    expect(validate({ tools: { city: "Bern", near: { city: "Thun" }, twin: "Nice" } })).toBe(true);
    expect(validate({ tools: { city: "Bern", near: { city: "Th" } } })).toBe(false);
    expect(validate({ tools: { city: "Bern", twin: "x" } })).toBe(false);
    expect(validate({ tools: {} })).toBe(false);
  });

  it("with an address of its own is found by it", () => {
    const flat = {
      $id: "https://x.y/s",
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { A: { type: "number" } },
    };
    const validate = compileSchema(wholeSchema(flat, "tools"));
    expect(validate({ tools: { a: 1 } })).toBe(true);
    expect(validate({ tools: { a: "1" } })).toBe(false);
  });
});
