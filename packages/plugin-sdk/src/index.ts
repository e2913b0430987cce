export * from "./events.ts";
export * from "./manifest.ts";
