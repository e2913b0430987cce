import { type AgentEventName, type AgentEventPayloads, agentEventNames } from "@patchbay/plugin-sdk";
import { expect, test } from "vitest";
import { eventNames, examplePayloads } from "./example-payloads.ts";

test("every event that there is has an example, and there is no other", () => {
  expect([...eventNames].sort()).toEqual([...agentEventNames].sort());
});

/** The fields that plugins read of each event, besides the agent. */
const fields: { [E in AgentEventName]: (keyof Omit<AgentEventPayloads[E], "agentId">)[] } = {
  "agent.started@v1": ["at", "model"],
  "agent.stopped@v1": ["at"],
  "session.opened@v1": ["sessionId", "source"],
  "session.closed@v1": ["sessionId", "reason"],
  "session.message.received@v1": ["sessionId", "text", "caller", "channel"],
  "prompt.assemble@v1": ["sessionId", "sections"],
  "turn.start@v1": ["sessionId", "turnId", "text", "model", "caller", "channel"],
  "turn.end@v1": ["sessionId", "turnId", "outcome", "text", "model", "caller", "channel"],
  "model.before@v1": ["sessionId", "turnId", "model", "messages"],
  "model.after@v1": ["sessionId", "turnId", "message", "usage"],
  "message.delta@v1": ["sessionId", "turnId", "messageId", "text"],
  "message.final@v1": ["sessionId", "turnId", "messageId", "text"],
  "tool.before@v1": ["sessionId", "toolCallId", "toolName", "args", "caller"],
  "tool.result@v1": ["sessionId", "toolCallId", "toolName", "args", "content", "isError", "durationMs"],
  "tool.after@v1": ["sessionId", "toolCallId", "toolName", "args", "outcome", "durationMs"],
  "run.end@v1": ["sessionId", "turnId"],
  "run.prepare@v1": ["sessionId", "turnId"],
  "compact.before@v1": ["sessionId", "messages", "tokens"],
  "compact.summary@v1": ["sessionId", "summary", "messages"],
  "channel.message.in@v1": ["sessionId", "channel", "text", "metadata"],
  "channel.message.out@v1": ["sessionId", "channel", "text"],
  "schedule.fired@v1": ["scheduleId", "prompt"],
  "memory.upsert@v1": ["key", "content"],
  "plugin.error@v1": ["pluginKey", "event", "message"],
};

test.each(agentEventNames)("the example of %s has the fields that plugins read", (event) => {
  expect(Object.keys(examplePayloads[event] ?? {}).sort()).toEqual([...fields[event]].sort());
});
