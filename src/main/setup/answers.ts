import { PatchbayError, type SetupAnswer, type SetupField } from "../../contract/index.ts";

/**
 * What the person typed into a plugin's form, as the plugin asked for it: known fields only, numbers as numbers.
 *
 * @throws PatchbayError BAD_INPUT with `details.fields` ({path, message})
 */
export function checkedValues(
  fields: readonly SetupField[],
  answer: SetupAnswer,
): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  const wrong: { path: string; message: string }[] = [];
  for (const { key, label, type, required } of fields) {
    const text = String(answer.values?.[key] ?? "").trim();
    if (text === "") {
      if (required) wrong.push({ path: key, message: `${label} is missing.` });
      continue;
    }
    const number = Number(text);
    if (type === "number" && !Number.isFinite(number)) {
      wrong.push({ path: key, message: `${label} must be a number.` });
    }
    values[key] = type === "number" ? number : text;
  }
  const [first] = wrong;
  if (first) throw new PatchbayError("BAD_INPUT", first.message, { details: { fields: wrong } });
  return values;
}

/** Whether an answer is meant for a form of settings. They may be taken as they are, so an empty answer is one. */
export function answersSettings({ values, choice, renew, open, way, retry }: SetupAnswer): boolean {
  return [values, choice, renew, open, way, retry].every((part) => part === undefined);
}
