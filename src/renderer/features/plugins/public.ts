/** What other features may use of `plugins`. */
export { switchOn } from "./switch-on.ts";
export { usePluginActions } from "./use-plugin-actions.ts";
