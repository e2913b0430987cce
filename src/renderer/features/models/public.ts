/** What other features may use of `models`. */
export { configOf, draftOf, type ModelDraft, missingFields, secretNameOf } from "./model-draft.ts";
export { ModelFields } from "./model-fields.tsx";
export { ModelPicker } from "./pickers/model-picker.tsx";
export { ThinkingPicker } from "./pickers/thinking-picker.tsx";
export { useModelList } from "./use-model-list.ts";
export { useProviders } from "./use-providers.ts";
