const sessionId = "example-conversation";
const turnId = "example-turn";
const at = "2026-01-31T09:30:00.000Z";
const caller = { kind: "owner" };
const nowhere = { caller, channel: null };
const call = {
  sessionId,
  toolCallId: "example-call",
  toolName: "shell",
  args: { command: "rm -rf build" },
};
const messages = [{ role: "user", text: "Remove the old build output and tell me what changed." }];

/**
 * A payload for each event as it happens, to be edited before it is fired; the names in the order in which they happen. The
 * agent's id is put in by the core.
 */
export const examplePayloads: Readonly<Record<string, object>> = {
  "session.message.received@v1": { sessionId, text: "Remove the old build output.", ...nowhere },
  "prompt.assemble@v1": {
    sessionId,
    sections: [
      { key: "instructions", content: "You are a careful assistant." },
      { key: "workspace", content: "Work in the folder ~/projects/site." },
    ],
  },
  "turn.start@v1": { sessionId, turnId, text: "Remove the old build output.", model: "scripted", ...nowhere },
  "model.before@v1": { sessionId, turnId, model: "scripted", messages },
  "model.after@v1": {
    sessionId,
    turnId,
    message: { role: "assistant", text: "I will look at what is there." },
    usage: { input: 1_420, output: 38 },
  },
  "message.delta@v1": { sessionId, turnId, messageId: "example-message", text: "I will look" },
  "tool.before@v1": { ...call, caller },
  "tool.result@v1": {
    ...call,
    content: [{ type: "text", text: "214 files removed" }],
    isError: false,
    durationMs: 488,
  },
  "tool.after@v1": { ...call, outcome: "executed", durationMs: 488 },
  "message.final@v1": { sessionId, turnId, messageId: "example-message", text: "Done. 214 files removed." },
  "turn.end@v1": {
    sessionId,
    turnId,
    outcome: "done",
    text: "Done. 214 files removed.",
    model: "scripted",
    ...nowhere,
  },
  "run.prepare@v1": { sessionId, turnId },
  "run.end@v1": { sessionId, turnId },
  "compact.before@v1": { sessionId, messages: 84, tokens: 96_000 },
  "compact.summary@v1": { sessionId, summary: "The build folder was tidied.", messages },
  "channel.message.in@v1": {
    sessionId,
    channel: "telegram",
    text: "Is the site up?",
    metadata: { userId: "4711", conversation: "4711" },
  },
  "channel.message.out@v1": { sessionId, channel: "telegram", text: "It is." },
  "session.opened@v1": { sessionId, source: "owner" },
  "session.closed@v1": { sessionId, reason: "user" },
  "agent.started@v1": { at, model: "scripted" },
  "agent.stopped@v1": { at },
  "schedule.fired@v1": { scheduleId: "every-morning", prompt: "Read the news." },
  "memory.upsert@v1": { key: "preferred-editor", content: "vim" },
  "plugin.error@v1": { pluginKey: "guard", event: "tool.before@v1", message: "It did not answer in time." },
};

export const eventNames = Object.keys(examplePayloads);

/** Events about one call of a tool: their payload has a `toolName` and `args`. */
export const isAboutTool = (event: string) => event.startsWith("tool.");
