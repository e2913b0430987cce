export {
  type AgentPluginPatch,
  type AgentPluginReport,
  AgentPlugins,
} from "./agent-plugins.ts";
export { AgentStore } from "./agent-store.ts";
export { PluginRegistry } from "./plugin-registry.ts";
export { defaultSettings, SettingsStore } from "./settings-store.ts";
