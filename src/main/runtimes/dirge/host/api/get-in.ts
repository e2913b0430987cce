import type { Value } from "@patchbay/janet";
import { getValue } from "@patchbay/janet/parts";
import { isObject } from "../../../../../contract/is-object.ts";
import type { Binder } from "./api.ts";
import { fromJson, itemsAt, parsedJson, textAt } from "./values.ts";

/**
 * `get-in` as Janet has it, with one courtesy: below a string, a string names a field of the JSON object that the string is. So
 * `(get-in ctx [:args "command"])` works, as the documentation of dirge writes it, while `:args` is JSON text. In plain Janet that is
 * always nil, so nothing that works there is changed.
 */
export function bindGetIn(api: Binder): void {
  api.bind(
    "(get-in ds ks &opt dflt)",
    "The value at the end of several keys; dflt where there is none.",
    (args) => {
      const keys = itemsAt(args, 1) ?? [];
      let value = args[0] ?? null;
      for (const [at, key] of keys.entries()) {
        if (value === null) break;
        const field = typeof value === "string" ? textAt(keys, at) : undefined;
        value = field === undefined ? getValue(value, key) : fieldOf(textAt([value], 0) ?? "", field);
      }
      return value ?? args[2] ?? null;
    },
  );
}

function fieldOf(text: string, field: string): Value {
  const json = parsedJson(text);
  return isObject(json) && Object.hasOwn(json, field) ? fromJson(json[field]) : null;
}
