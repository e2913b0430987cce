import type { RJSFSchema } from "@rjsf/utils";
import { isObject } from "../../../../contract/is-object.ts";
import { labelOf } from "../../../model/runtime-values.ts";

/** The labels of the form along the path to a value, as a person reads them, and the schema of the value. */
export function placeAt(
  path: readonly string[],
  root: RJSFSchema | null,
): { label: string; schema: unknown } {
  let schema: unknown = root;
  const labels = path.map((name) => {
    if (isObject(schema) && schema.type === "array") {
      schema = schema.items;
      return String(Number(name) + 1);
    }
    const properties = isObject(schema) ? schema.properties : undefined;
    schema = isObject(properties) ? properties[name] : undefined;
    return isObject(schema) && typeof schema.title === "string" ? schema.title : labelOf(name);
  });
  return { label: labels.join(" › "), schema };
}
