const sentences = {
  "tool.before": "hook.tool.before",
  "tool.result": "hook.tool.result",
  "tool.after": "hook.tool.after",
  "session.message.received": "hook.session.message.received",
  "session.opened": "hook.session.opened",
  "session.closed": "hook.session.closed",
  "prompt.assemble": "hook.prompt.assemble",
  "model.before": "hook.model.before",
  "model.after": "hook.model.after",
  "message.delta": "hook.message.delta",
  "message.final": "hook.message.final",
  "turn.start": "hook.turn.start",
  "turn.end": "hook.turn.end",
  "agent.started": "hook.agent.started",
  "agent.stopped": "hook.agent.stopped",
  "channel.message.in": "hook.channel.message.in",
  "channel.message.out": "hook.channel.message.out",
  "plugin.error": "hook.plugin.error",
} as const;

type HookSentence = (typeof sentences)[keyof typeof sentences] | "hook.other";

/** What a hook on `event` (`tool.before@v1`) does, as a key of the catalogue. */
export function hookSentenceKey(event: string): HookSentence {
  const name = event.replace(/@v\d+$/, "");
  return Object.hasOwn(sentences, name) ? sentences[name as keyof typeof sentences] : "hook.other";
}
