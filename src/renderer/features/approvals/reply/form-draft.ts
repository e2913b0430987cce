import type { FormField, FormValue, FormValues } from "../../../../contract/dialogs/form.ts";

/** What the fields of a form show, by their names: numbers and moments as they are typed. */
export type Draft = Record<string, string | boolean | string[]>;

export function firstDraft(fields: readonly FormField[]): Draft {
  return Object.fromEntries(fields.map((field) => [field.name, shownOf(field)]));
}

function shownOf(field: FormField): Draft[string] {
  switch (field.type) {
    case "text":
      return field.format === "date-time" ? localMoment(field.default) : (field.default ?? "");
    case "number":
      return field.default === undefined ? "" : String(field.default);
    case "boolean":
      return field.default ?? false;
    case "choice":
      return field.default ?? "";
    case "choices":
      return field.default ?? [];
  }
}

/** What is sent. What is left empty is left out, and what is no number stays a text, so that this can be said. */
export function valuesOf(fields: readonly FormField[], draft: Draft): FormValues {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = typedValue(field, draft[field.name]);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

function typedValue(field: FormField, shown: Draft[string] | undefined): FormValue | undefined {
  if (shown === undefined || shown === "") return undefined;
  if (Array.isArray(shown)) return shown.length === 0 && !field.required ? undefined : shown;
  if (typeof shown === "boolean") return shown;
  if (field.type === "number") return Number.isFinite(Number(shown)) ? Number(shown) : shown;
  const isMoment = field.type === "text" && field.format === "date-time";
  const at = isMoment ? new Date(shown) : null;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : shown;
}

/** A moment as the browser's field for moments takes it: in the local time, without seconds. */
function localMoment(moment: string | undefined): string {
  const at = moment === undefined ? Number.NaN : Date.parse(moment);
  if (Number.isNaN(at)) return "";
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
