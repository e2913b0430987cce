export { type AgentPluginPatch, newRow, type PendingNames, refuseStale } from "./agent-plugin-row.ts";
export { type AgentPluginReport, AgentPlugins } from "./agent-plugins.ts";
export { AgentStore } from "./agent-store.ts";
export { checkTaken } from "./check-taken.ts";
export { KeptRows } from "./kept/kept-rows.ts";
export { SetAsideRows } from "./kept/set-aside.ts";
export { PluginRegistry } from "./plugin-registry.ts";
export { type ConfigFieldError, validateConfig } from "./settings/validate-config.ts";
export { defaultSettings, SettingsStore } from "./settings-store.ts";
