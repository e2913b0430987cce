import type { DialogQuestion, FormField } from "../../../contract/index.ts";
import { cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";

/** A plugin's question, fit to be shown. The values of its options stay: the answer is one of them. */
export function cleanQuestion(question: DialogQuestion): DialogQuestion {
  const message = cleanText(question.message);
  switch (question.kind) {
    case "confirm":
      return { ...question, message };
    case "select":
    case "multi_select": {
      const options = question.options.map(({ value, label }) => ({ value, label: cleanLine(label) }));
      return { ...question, message, options };
    }
    case "form":
      return { ...question, message, fields: question.fields.map(cleanField) };
    case "link":
      return { ...question, message };
    case "text": {
      const { placeholder } = question;
      return {
        ...question,
        message,
        ...(placeholder !== undefined && { placeholder: cleanLine(placeholder) }),
      };
    }
  }
}

function cleanField(field: FormField): FormField {
  const { description } = field;
  const cleaned = {
    ...field,
    title: cleanLine(field.title),
    ...(description !== undefined && { description: cleanText(description) }),
  };
  if (!("options" in cleaned)) return cleaned;
  return {
    ...cleaned,
    options: cleaned.options.map(({ value, label }) => ({ value, label: cleanLine(label) })),
  };
}
