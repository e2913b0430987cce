import { expect, test } from "vitest";
import type { FormField, FormValue } from "./form.ts";
import { faultInWords, formFaults } from "./form-faults.ts";

const named = { name: "x", title: "X", required: false };
const options = [
  { value: "a", label: "A" },
  { value: "b", label: "B" },
];
const text = (more: object): FormField => ({ type: "text", ...named, ...more }) as FormField;
const number = (more: object): FormField =>
  ({ type: "number", ...named, whole: false, ...more }) as FormField;
const choices = (more: object): FormField => ({ type: "choices", ...named, options, ...more }) as FormField;

test.each<[FormField, FormValue | undefined, string | undefined]>([
  [text({}), undefined, undefined],
  [text({ required: true }), undefined, "“X” must be filled in."],
  [text({ required: true }), "", "“X” must be filled in."],
  [text({}), 3, "“X” has a value of another kind than the form asks for."],
  // Characters are counted as people count them, not by their halves.
  [text({ maxLength: 1 }), "😀", undefined],
  [text({ minLength: 2 }), "😀", "“X” must have at least 2 characters."],
  [text({ maxLength: 2 }), "abc", "“X” must have at most 2 characters."],
  [text({ format: "email" }), "ada@example.com", undefined],
  [text({ format: "email" }), "ada@example", "“X” must be an e-mail address."],
  [text({ format: "uri" }), "https://example.com/a", undefined],
  [text({ format: "uri" }), "example.com", "“X” must be a whole address, such as https://example.com."],
  [text({ format: "date" }), "2028-02-29", undefined],
  [text({ format: "date" }), "2027-02-29", "“X” must be a day, such as 2026-11-26."],
  [text({ format: "date-time" }), "2026-11-26T09:30:00+01:00", undefined],
  [text({ format: "date-time" }), "2026-11-26 09:30", "“X” must be a moment, such as 2026-11-26T09:30:00Z."],
  [number({}), 1.5, undefined],
  [number({}), "1", "“X” has a value of another kind than the form asks for."],
  [number({}), Number.NaN, "“X” has a value of another kind than the form asks for."],
  [number({ whole: true }), 1.5, "“X” must be a whole number."],
  [number({ min: 1 }), 0, "“X” must be at least 1."],
  [number({ max: 1 }), 2, "“X” must be at most 1."],
  [{ type: "boolean", ...named }, false, undefined],
  [{ type: "boolean", ...named }, "no", "“X” has a value of another kind than the form asks for."],
  [{ type: "choice", ...named, options }, "a", undefined],
  [{ type: "choice", ...named, options }, "A", "“X” must be one of the offered values."],
  [choices({}), ["b", "a"], undefined],
  [choices({}), ["a", "a"], "“X” must be one of the offered values."],
  [choices({}), "a", "“X” has a value of another kind than the form asks for."],
  [choices({ minItems: 1 }), [], "“X” needs at least 1 of the values."],
  [choices({ maxItems: 1 }), ["a", "b"], "“X” takes at most 1 of the values."],
])("%j with %j: %s", (field, value, sentence) => {
  const [fault] = formFaults([field], value === undefined ? {} : { x: value });
  expect(fault && faultInWords(fault, field.title)).toBe(sentence);
});

test("what no field asks for is a fault, names of every object's own included", () => {
  expect(formFaults([], { more: 1 })).toEqual([{ field: "more", kind: "unknown" }]);
  const named = { name: "constructor", title: "Of objects", required: true };
  expect(formFaults([{ type: "text", ...named }], {})).toEqual([{ field: "constructor", kind: "missing" }]);
});
