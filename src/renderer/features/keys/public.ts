/** What other features and pages may use of `keys`. */
export { useIdleSentence } from "./idle-words.ts";
export { useKeyActions } from "./key-actions.ts";
export { KeyCap } from "./key-cap.tsx";
export { isMac, useKeyLabel } from "./key-words.ts";
export { setRecording } from "./recording.ts";
export { useTargetWords } from "./target-words.ts";
export { useKeyPlan } from "./use-key-plan.ts";
