import type { AgentEventName } from "@patchbay/plugin-sdk";

/** Events that are announced after everything is done, so that a failing hook cannot stop anything. */
export const afterTheFact = new Set<AgentEventName>([
  "agent.started@v1",
  "agent.stopped@v1",
  "session.opened@v1",
  "session.closed@v1",
  "turn.end@v1",
  "run.end@v1",
  "run.prepare@v1",
  "message.delta@v1",
  "tool.after@v1",
  "plugin.error@v1",
]);
