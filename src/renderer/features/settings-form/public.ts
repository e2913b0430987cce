import { lazy } from "react";

/** What other features may use of `settings-form`. */
/** An object as text, with what is wrong at its place; its editor is loaded when it is shown. */
export const JsonField = lazy(async () => ({ default: (await import("./json/json-field.tsx")).JsonField }));
export { SecretFields } from "./fields/secret-fields.tsx";
export { SchemaForm } from "./fields/theme.tsx";
export {
  type Config,
  formModel,
  schemaModel,
  valueIn,
  withDefaults,
  withValueIn,
} from "./values/form-model.ts";
export { withoutLeftOut } from "./values/plain-schema.ts";
export { useFieldErrors } from "./values/use-field-errors.ts";
