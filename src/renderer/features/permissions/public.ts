/** What other features may use of `permissions`. */
export { isHostRule } from "./grant-edits.ts";
export { InstallCommand } from "./install-command.tsx";
export { NameList } from "./kinds/name-list.tsx";
export { ReachChoice } from "./kinds/reach-choice.tsx";
export { WallLine } from "./wall-line.tsx";
