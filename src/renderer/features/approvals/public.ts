/** What other features may use of `approvals`. */
export { ApprovalCard } from "./approval-card.tsx";
export { ArgumentList, argumentText } from "./argument-list.tsx";
export { useOwnerNames } from "./names.ts";
export { PluginQuestion } from "./plugin-question.tsx";
export { ToolWords } from "./tool-words.tsx";
export { useAsks, useOpenDialogs, useWaitingApprovals } from "./waiting.ts";
