export * from "./agent.ts";
export * from "./agent-plugin.ts";
export * from "./app.ts";
export { type Contract, contract } from "./contract.ts";
export * from "./errors.ts";
export * from "./gateway.ts";
export * from "./job.ts";
export * from "./plugin.ts";
export * from "./turn.ts";
