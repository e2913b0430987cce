import { z } from "zod";
import { mostSuggestions } from "../../../../contract/index.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { CallOf } from "../../plugin-call.ts";

/** The question what could stand in a field. */
export function suggestionRequest({ of, field, value, others }: CallOf<"suggest">) {
  const ref =
    "prompt" in of ? { type: "ref/prompt", name: of.prompt } : { type: "ref/resource", uri: of.template };
  return {
    method: "completion/complete",
    params: { ref, argument: { name: field, value }, context: { arguments: others } },
  };
}

const answerSchema = z.object({ completion: z.object({ values: z.array(z.unknown()) }) });
const LONGEST = 1_000;

/** The first of the values that can stand in a field. @throws ZodError when the answer cannot be read */
export function suggestionsIn(raw: unknown): string[] {
  const values = answerSchema
    .parse(raw)
    .completion.values.slice(0, mostSuggestions)
    // A value that would be shown otherwise than it is filled in is not offered.
    .filter(
      (one): one is string => typeof one === "string" && one.length <= LONGEST && cleanLine(one) === one,
    );
  return [...new Set(values)].filter((one) => one !== "");
}
