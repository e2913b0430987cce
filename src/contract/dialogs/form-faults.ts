import type { FormField, FormValues } from "./form.ts";

type Format = "email" | "uri" | "date" | "date-time";
type Plain = "missing" | "wrong_type" | "not_whole" | "not_listed" | "unknown" | Format;
type Limited = "too_short" | "too_long" | "too_small" | "too_large" | "too_few" | "too_many";

/** What is wrong with the value of one field. */
export type FormFault = { field: string; kind: Plain } | { field: string; kind: Limited; limit: number };

/** What is wrong with the values of a form, at most one fault for each field, in their order. Empty: they fit. */
export function formFaults(fields: readonly FormField[], values: FormValues): FormFault[] {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(values).filter((name) => !known.has(name));
  return [
    ...fields.flatMap((field) =>
      faultOf(field, Object.hasOwn(values, field.name) ? values[field.name] : undefined),
    ),
    ...unknown.map((field): FormFault => ({ field, kind: "unknown" })),
  ];
}

function faultOf(field: FormField, value: FormValues[string] | undefined): FormFault[] {
  const is = (kind: Plain): FormFault[] => [{ field: field.name, kind }];
  const past = (kind: Limited, limit: number): FormFault[] => [{ field: field.name, kind, limit }];
  if (value === undefined || value === "") return field.required ? is("missing") : [];
  switch (field.type) {
    case "text": {
      if (typeof value !== "string") return is("wrong_type");
      const { minLength, maxLength, format } = field;
      const { length } = [...value];
      if (minLength !== undefined && length < minLength) return past("too_short", minLength);
      if (maxLength !== undefined && length > maxLength) return past("too_long", maxLength);
      return format === undefined || isOf(format, value) ? [] : is(format);
    }
    case "number": {
      const { whole, min, max } = field;
      if (typeof value !== "number" || !Number.isFinite(value)) return is("wrong_type");
      if (whole && !Number.isInteger(value)) return is("not_whole");
      if (min !== undefined && value < min) return past("too_small", min);
      return max !== undefined && value > max ? past("too_large", max) : [];
    }
    case "boolean":
      return typeof value === "boolean" ? [] : is("wrong_type");
    case "choice":
      return field.options.some((option) => option.value === value) ? [] : is("not_listed");
    case "choices": {
      if (!Array.isArray(value)) return is("wrong_type");
      const offered = new Set(field.options.map((option) => option.value));
      if (!value.every((one) => offered.has(one)) || new Set(value).size !== value.length)
        return is("not_listed");
      const { minItems, maxItems } = field;
      if (minItems !== undefined && value.length < minItems) return past("too_few", minItems);
      return maxItems !== undefined && value.length > maxItems ? past("too_many", maxItems) : [];
    }
  }
}

function isOf(format: Format, value: string): boolean {
  switch (format) {
    case "email":
      return /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
    case "uri":
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value);
    case "date":
      return isDay(value);
    case "date-time":
      return (
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value) &&
        isDay(value.slice(0, 10)) &&
        !Number.isNaN(Date.parse(value))
      );
  }
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
}

/** The fault as an English sentence. @param title how the field is called on the form */
export function faultInWords(fault: FormFault, title: string): string {
  switch (fault.kind) {
    case "missing":
      return `“${title}” must be filled in.`;
    case "wrong_type":
      return `“${title}” has a value of another kind than the form asks for.`;
    case "not_whole":
      return `“${title}” must be a whole number.`;
    case "not_listed":
      return `“${title}” must be one of the offered values.`;
    case "unknown":
      return `The form has no field “${title}”.`;
    case "email":
      return `“${title}” must be an e-mail address.`;
    case "uri":
      return `“${title}” must be a whole address, such as https://example.com.`;
    case "date":
      return `“${title}” must be a day, such as 2026-11-26.`;
    case "date-time":
      return `“${title}” must be a moment, such as 2026-11-26T09:30:00Z.`;
    case "too_short":
      return `“${title}” must have at least ${fault.limit} characters.`;
    case "too_long":
      return `“${title}” must have at most ${fault.limit} characters.`;
    case "too_small":
      return `“${title}” must be at least ${fault.limit}.`;
    case "too_large":
      return `“${title}” must be at most ${fault.limit}.`;
    case "too_few":
      return `“${title}” needs at least ${fault.limit} of the values.`;
    case "too_many":
      return `“${title}” takes at most ${fault.limit} of the values.`;
  }
}
