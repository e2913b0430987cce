import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { argumentsFor } from "./arguments.ts";

const object = (properties: object, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

describe("arguments made from a schema", () => {
  it.each([
    ["nothing where nothing is asked for", {}],
    [
      "each kind",
      object({ a: { type: "string" }, b: { type: "integer" }, c: { type: "boolean" }, d: { type: "null" } }),
    ],
    [
      "bounds of numbers",
      object({ a: { type: "integer", minimum: 7 }, b: { type: "number", exclusiveMaximum: 0 } }),
    ],
    [
      "steps",
      object({ a: { type: "integer", multipleOf: 5, minimum: 11 }, b: { type: "number", maximum: 0.25 } }),
    ],
    ["lengths", object({ a: { type: "string", minLength: 12 }, b: { type: "string", maxLength: 2 } })],
    ["lists", object({ a: { type: "array", items: { type: "number" }, minItems: 3 } })],
    ["pairs", object({ a: { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] } })],
    ["objects in objects", object({ a: object({ b: object({ c: { enum: ["x", "y"] } }) }) })],
    ["constants", object({ a: { const: 4 } })],
    [
      "one of several kinds",
      object({ a: { oneOf: [object({ kind: { const: "x" } }), { type: "string" }] } }),
    ],
    ["any of several kinds", object({ a: { anyOf: [{ type: "integer" }, { type: "null" }] } })],
    [
      "titled choices",
      object({
        a: {
          oneOf: [
            { const: "red", title: "Red" },
            { const: "blue", title: "Blue" },
          ],
        },
      }),
    ],
    ["a kind or nothing", object({ a: { type: ["null", "string"] } })],
    [
      "all of several parts",
      { allOf: [object({ a: { type: "string" } }), object({ b: { type: "integer" } })], type: "object" },
    ],
    [
      "references",
      { ...object({ a: { $ref: "#/$defs/x" } }), $defs: { x: { type: "integer", minimum: 3 } } },
    ],
  ])("fit: %s", (_what, schema) => {
    const ajv = new Ajv2020({ strict: false, useDefaults: false });
    const made = argumentsFor(schema as Record<string, unknown>);
    expect(ajv.validate(schema as object, made), JSON.stringify({ made, errors: ajv.errors })).toBe(true);
  });

  it("take defaults and examples, of what is not required, too", () => {
    const schema = object(
      { a: { type: "string", default: "x" }, b: { type: "string", examples: ["y"] }, c: { type: "string" } },
      [],
    );
    expect(argumentsFor(schema)).toEqual({ a: "x", b: "y" });
  });

  it("end where a schema refers to itself", () => {
    const schema = { $ref: "#/$defs/node", $defs: { node: object({ next: { $ref: "#/$defs/node" } }) } };
    expect(JSON.stringify(argumentsFor(schema)).length).toBeLessThan(1_000);
    expect(argumentsFor({ $ref: "#" })).toEqual({});
  });
});
