/** What bench/core/build.ts bundles: the core as the shells have it, and the stores that fill a home. */
export { createApp } from "../../src/main/app/create-app.ts";
export { openGateway } from "../../src/main/gateway/server.ts";
export { nodePlatform, rendererFolder } from "../../src/main/platform/node-platform.ts";
export { AgentPlugins, AgentStore, PluginRegistry } from "../../src/main/registry/index.ts";
export { openFileStorage, storeAt } from "../../src/main/store/index.ts";
export { AppEvents } from "../../src/main/views/app-events.ts";
