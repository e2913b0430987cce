import type { DialogAnswer, DialogQuestion } from "../../contract/index.ts";

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
  }
}
