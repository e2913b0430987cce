/** What bench/core/build.ts bundles: the core as the shells have it, and the stores that fill a home. */

export { SessionRecordFiles } from "../../src/main/agents/record/record-files.ts";
export { RecordWriter } from "../../src/main/agents/record/record-writer.ts";
export { TurnRecorder } from "../../src/main/agents/record/recorder.ts";
export { createApp } from "../../src/main/app/create-app.ts";
export { systemClock } from "../../src/main/base/clock.ts";
export { openGateway } from "../../src/main/gateway/server.ts";
export { nodePlatform, rendererFolder } from "../../src/main/platform/node-platform.ts";
export { AgentPlugins, AgentStore, PluginRegistry } from "../../src/main/registry/index.ts";
export { openFileStorage, storeAt } from "../../src/main/store/index.ts";
export { AppEvents } from "../../src/main/views/app-events.ts";
