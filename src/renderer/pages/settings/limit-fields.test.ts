import { expect, test } from "vitest";
import { settingsSchema } from "../../../contract/settings.ts";
import { limitFields, readLimit } from "./limit-fields.ts";

const stored = { ...settingsSchema.shape.limits.shape, hostMemoryMb: settingsSchema.shape.hostMemoryMb };

test("every limit of the settings can be set, in a unit a person thinks in", () => {
  expect(limitFields.map(({ name }) => name).sort()).toEqual(Object.keys(stored).sort());
});

test.each(limitFields)("$name accepts exactly what the core accepts", (field) => {
  const least = readLimit(field, String(field.least));
  expect(least).toEqual({ ok: true, value: Math.round(field.least * field.size) });
  expect(stored[field.name].safeParse(least.ok && least.value).success).toBe(true);
  expect(stored[field.name].safeParse(field.least * field.size - 1).success).toBe(false);
});

test("a comma is a decimal point too, and words are no numbers", () => {
  const [start] = limitFields;
  expect(start && readLimit(start, "2,5")).toEqual({ ok: true, value: 2_500 });
  expect(start && readLimit(start, "soon")).toEqual({ ok: false, why: "notNumber" });
});
