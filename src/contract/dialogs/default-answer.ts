import type { DialogAnswer, DialogQuestion } from "./dialog.ts";
import { defaultValues } from "./form.ts";
import { formFaults } from "./form-faults.ts";
import { asksForSecret } from "./secret-fields.ts";

/**
 * What a plugin's question gets where nobody is asked; undefined when it has no default. A form has one when the defaults of
 * its fields alone fit.
 */
export function defaultAnswerOf(question: DialogQuestion): DialogAnswer | undefined {
  switch (question.kind) {
    case "confirm":
    case "select":
    case "multi_select":
    case "text":
      return question.default;
    case "link":
      return undefined;
    case "form": {
      const values = defaultValues(question.fields);
      if (Object.keys(values).length === 0 || asksForSecret(question)) return undefined;
      return formFaults(question.fields, values).length === 0 ? { action: "accept", values } : undefined;
    }
  }
}
