import { beforeEach, expect, test } from "vitest";
import { startI18n } from "../../base/i18n/index.ts";
import { limitsOf } from "./values/limits.ts";
import { saidValue } from "./values/said-value.ts";
import { findErrors } from "./values/validator.ts";

beforeEach(() => startI18n("en"));

const patience = { type: "integer", minimum: 1_000, maximum: 90_000, "x-patchbay": { unit: "ms" } } as const;

test.each([
  [patience, 30_000, "30 seconds"],
  [patience, 1_500, "1,500 milliseconds"],
  [{ ...patience, "x-patchbay": { unit: "s" } }, 3_600, "1 hour"],
  [{ type: "string", format: "duration" }, "PT1M", "1 minute"],
  [{ type: "string", format: "duration" }, "soon", null],
  [{ ...patience, "x-patchbay": { unit: "rooms" } }, 4, null],
  [{ type: "string" }, "PT1M", null],
])("a value of %j reads %j as %j", (schema, value, words) => {
  expect(saidValue(schema, value)).toBe(words);
});

test("limits of a length of time are said as such, before and after something is typed", () => {
  expect(limitsOf(patience)).toBe("From 1 second to 90 seconds.");
  const schema = { type: "object", properties: { patience } } as const;
  expect(findErrors(schema, { patience: 5 })).toEqual([
    { path: ["patience"], message: "At least 1 second." },
  ]);
});
