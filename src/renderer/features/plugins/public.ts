/** What other features may use of `plugins`. */
export { stepWords } from "./step-words.ts";
export { switchOn } from "./switch-on.ts";
export { usePluginActions } from "./use-plugin-actions.ts";
