export {
  describeExport,
  type ExportFacts,
  type Fact,
  type ManifestFacts,
} from "../runtimes/native/manifest/manifest-facts.ts";
export { validateManifest } from "../runtimes/native/manifest/validate-manifest.ts";
export { type AgentPluginPatch, type AgentPluginReport, AgentPlugins, refuseStale } from "./agent-plugins.ts";
export { AgentStore } from "./agent-store.ts";
export { checkTaken } from "./check-taken.ts";
export type { ConfigField } from "./config-fields.ts";
export { PluginRegistry } from "./plugin-registry.ts";
export { defaultSettings, SettingsStore } from "./settings-store.ts";
export { type ConfigFieldError, validateConfig } from "./validate-config.ts";
export { wrapConfig } from "./wrap-config.ts";
