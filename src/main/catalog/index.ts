export { foldersOf } from "./install/uninstall.ts";
export { createIntegrityCheck, type IntegrityCheck } from "./integrity.ts";
export { InstallJobs, type InstallJobsOptions } from "./jobs.ts";
export { LinkedFolders } from "./linked-folders.ts";
export { McpRegistry } from "./mcp/registry.ts";
export { Catalog } from "./search/catalog.ts";
export type { CatalogServices, InstalledPlugins, PoolHooks } from "./services.ts";
export { machineRegistry } from "./sources/npm-configuration.ts";
export { Uploads } from "./uploads.ts";
