export * from "./channel-agent.ts";
export { withDefaults } from "./defaults.ts";
export * from "./events.ts";
export { HostNotAllowed } from "./host-not-allowed.ts";
export * from "./manifest.ts";
export { type DescribedSchema, type OutputOf, parserOf, schemaOf } from "./schema.ts";
export * from "./setup.ts";
export { type TypedTool, tool } from "./tool.ts";
