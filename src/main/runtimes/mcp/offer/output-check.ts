import { compileSchema } from "../../config-schema.ts";
import type { ListedTool } from "./listed-tools.ts";
import { isUsableSchema } from "./usable-schema.ts";

/**
 * What is wrong with a tool's structured answer by the schema that its server gave for it, as a sentence for the log; null
 * when nothing is. The answer is passed on in any case: an agent can make something of it.
 */
export function outputFault({ name, outputSchema }: ListedTool, structured: unknown): string | null {
  if (outputSchema === undefined) return null;
  const begin = `${name} says what its answers look like, but`;
  if (structured === undefined) return `${begin} this one has no such part. It was passed on.`;
  if (!isUsable(outputSchema)) return `${begin} in a way that cannot be used. Its answer was passed on.`;
  try {
    const check = compileSchema(outputSchema);
    return check(structured) === true ? null : `${begin} this one looks otherwise. It was passed on.`;
  } catch {
    return `${begin} in a way that cannot be checked. Its answer was passed on.`;
  }
}

const judged = new WeakMap<object, boolean>();

/** Found once for each schema. An answer may be any value since 2026-07-28; else it is judged as for arguments. */
function isUsable(outputSchema: Record<string, unknown>): boolean {
  const known = judged.get(outputSchema);
  if (known !== undefined) return known;
  const { type: _any, ...limited } = outputSchema;
  const usable = isUsableSchema(limited);
  judged.set(outputSchema, usable);
  return usable;
}
