import type { DialogAnswer, DialogQuestion, FormField, FormValue } from "../../contract/index.ts";

/** What a question gets when nobody reads it: its default, where it has one, else the first that it allows. */
export function defaultAnswer(question: DialogQuestion): DialogAnswer {
  switch (question.kind) {
    case "confirm":
      return question.default ?? true;
    case "select":
      return question.default ?? question.options[0]?.value ?? null;
    case "multi_select":
      return question.default ?? [];
    case "text":
      return question.default ?? "";
    case "form":
      return { action: "accept", values: Object.fromEntries(question.fields.flatMap(valueOfField)) };
    case "link":
      return { action: "accept", values: {} };
  }
}

/** The default of a field; for one that has to be filled in and has none, the first value that fits. */
function valueOfField(field: FormField): [string, FormValue][] {
  const { name, required } = field;
  if (field.default !== undefined) return [[name, field.default]];
  if (!required) return [];
  switch (field.type) {
    case "text": {
      const { format, minLength = 1 } = field;
      return [[name, format === undefined ? "x".repeat(Math.max(minLength, 1)) : examples[format]]];
    }
    case "number":
      return [[name, field.min ?? Math.min(0, field.max ?? 0)]];
    case "boolean":
      return [[name, true]];
    case "choice":
      return [[name, field.options[0]?.value ?? ""]];
    case "choices":
      return [[name, field.options.slice(0, field.minItems ?? 0).map(({ value }) => value)]];
  }
}

const examples = {
  email: "person@example.com",
  uri: "https://example.com/",
  date: "2026-01-01",
  "date-time": "2026-01-01T00:00:00Z",
} as const;
