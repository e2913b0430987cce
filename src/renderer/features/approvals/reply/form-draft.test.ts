import { expect, test } from "vitest";
import type { FormField } from "../../../../contract/dialogs/form.ts";
import { firstDraft, valuesOf } from "./form-draft.ts";

const named = (name: string) => ({ name, title: name, required: false });
const options = [
  { value: "a", label: "A" },
  { value: "b", label: "B" },
];
const fields: FormField[] = [
  { type: "text", ...named("text"), default: "x" },
  { type: "text", ...named("at"), format: "date-time", default: "2026-11-26T09:30:00Z" },
  { type: "number", ...named("number"), whole: false, default: 1.5 },
  { type: "boolean", ...named("boolean") },
  { type: "choice", ...named("choice"), options },
  { type: "choices", ...named("choices"), options, default: ["b"] },
];

test("a form begins with its defaults, and sends them as they were given", () => {
  expect(valuesOf(fields, firstDraft(fields))).toEqual({
    text: "x",
    at: "2026-11-26T09:30:00.000Z",
    number: 1.5,
    boolean: false,
    choices: ["b"],
  });
});

test("what is empty is left out, and what is no number stays as it was typed", () => {
  expect(valuesOf(fields, { text: "", at: "", number: "many", choice: "", choices: [] })).toEqual({
    number: "many",
  });
});
