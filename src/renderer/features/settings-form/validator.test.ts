import type { RJSFSchema } from "@rjsf/utils";
import { beforeAll, describe, expect, it } from "vitest";
import { startI18n } from "../../base/i18n/index.ts";
import { findErrors, validator } from "./values/validator.ts";

beforeAll(() => startI18n("en"));

const schema: RJSFSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string", minLength: 3 },
    days: { type: "integer", minimum: 1, maximum: 10 },
    places: { type: "array", items: { type: "string", minLength: 1 } },
    unit: { enum: ["a", "b"] },
    deep: { type: "object", properties: { on: { type: "boolean" } } },
  },
};

describe("findErrors", () => {
  it("names the limit of a part that the schema refers to", () => {
    const referring: RJSFSchema = {
      $defs: { limit: { type: "object", properties: { most: { type: "integer", minimum: 1 } } } },
      type: "object",
      properties: { limit: { $ref: "#/$defs/limit" } },
    };
    expect(findErrors(referring, { limit: { most: -3 } })).toMatchObject([
      { path: ["limit", "most"], message: "At least 1." },
    ]);
  });

  it("finds nothing where everything fits", () => {
    expect(findErrors(schema, { name: "Bern", days: 3, places: ["a"], unit: "a" })).toEqual([]);
  });

  it("asks for what is missing, at the missing field", () => {
    expect(findErrors(schema, {})).toMatchObject([{ path: ["name"], message: "Fill this in." }]);
  });

  it("says each thing once, at the innermost field", () => {
    expect(findErrors(schema, { name: "Bern", days: 40, places: ["ok", ""], deep: { on: 1 } })).toMatchObject(
      [
        { path: ["days"], message: "At most 10." },
        { path: ["places", "1"], message: "Fill this in." },
        { path: ["deep", "on"], message: "This must be yes or no." },
      ],
    );
  });

  it("lets a reference to a stored secret stand for a value of any kind", () => {
    expect(findErrors(schema, { name: "Bern", days: "${DAYS}" })).toEqual([]);
  });

  it("names the choice, the kind and the length that are wanted", () => {
    expect(findErrors(schema, { name: "B", unit: "c", days: "x" })).toEqual([
      { path: ["name"], message: "At least 3 characters." },
      { path: ["days"], message: "This must be a whole number." },
      { path: ["unit"], message: "Choose one of the offered values." },
    ]);
  });
});

describe("validator", () => {
  it("follows references into the root schema's definitions", () => {
    const root: RJSFSchema = { $defs: { port: { type: "integer", maximum: 65_535 } } };
    expect(validator.isValid({ $ref: "#/$defs/port" }, 80, root)).toBe(true);
    expect(validator.isValid({ $ref: "#/$defs/port" }, 70_000, root)).toBe(false);
  });

  it("gives the form its errors by field", () => {
    const { errorSchema } = validator.validateFormData({ name: "Bern", days: 0 }, schema);
    expect(errorSchema).toMatchObject({ days: { __errors: ["At least 1."] } });
  });

  it("takes a name without a value as not there", () => {
    expect(validator.isValid({ type: "object" }, { name: undefined }, {})).toBe(true);
    expect(validator.isValid({ type: "object" }, undefined, {})).toBe(false);
    expect(findErrors(schema, { name: undefined })).toMatchObject([
      { path: ["name"], message: "Fill this in." },
    ]);
  });
});
