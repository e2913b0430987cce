/** What other features may use of `settings-form`. */
export { SecretFields } from "./fields/secret-fields.tsx";
export { SchemaForm } from "./fields/theme.tsx";
export { type Config, defaultsBehavior, formModel, valueIn, withValueIn } from "./values/form-model.ts";
export { useFieldErrors } from "./values/use-field-errors.ts";
export { validator } from "./values/validator.ts";
