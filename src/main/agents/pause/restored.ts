import { isObject } from "../../../contract/index.ts";

/**
 * What the person made of something that they were shown without its secrets: wherever they left it as it was shown, it
 * stays as it was. So a change of one field does not put the marks of secrets in the place of the others.
 */
export function restored(original: unknown, shown: unknown, edited: unknown): unknown {
  if (JSON.stringify(shown) === JSON.stringify(edited)) return original;
  if (Array.isArray(original) && Array.isArray(shown) && Array.isArray(edited))
    return edited.map((one, index) =>
      index < original.length ? restored(original[index], shown[index], one) : one,
    );
  if (isObject(original) && isObject(shown) && isObject(edited) && !Array.isArray(edited))
    return Object.fromEntries(
      Object.entries(edited).map(([key, one]) => [
        key,
        Object.hasOwn(original, key) ? restored(original[key], shown[key], one) : one,
      ]),
    );
  return edited;
}
