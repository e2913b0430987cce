/** What other features may use of `models`. */
export { configOf, draftOf, type ModelDraft, missingFields, secretNameOf } from "./model-draft.ts";
export { ModelFields } from "./model-fields.tsx";
export { useProviders } from "./use-providers.ts";
