import { brokenSchema } from "../../broken-schema.ts";

/** Most levels of a schema. */
const DEEPEST = 32;
/** Most values in a schema. */
const MOST_VALUES = 20_000;

/**
 * Whether a schema of arguments can be used: an object's, of a size that can be checked, and complete in itself. One that
 * refers to something outside of itself would have to be fetched, which is never done.
 */
export function isUsableSchema(schema: Record<string, unknown>): boolean {
  const { type } = schema;
  return (type === undefined || type === "object") && isSmall(schema) && brokenSchema(schema) === null;
}

function isSmall(schema: unknown): boolean {
  let values = 0;
  const fits = (value: unknown, depth: number): boolean => {
    values += 1;
    if (depth > DEEPEST || values > MOST_VALUES) return false;
    if (typeof value !== "object" || value === null) return true;
    return Object.values(value).every((one) => fits(one, depth + 1));
  };
  return fits(schema, 0);
}
