import { type Insight, insightSchema } from "../../../contract/index.ts";
import type { DirgeHook } from "./hooks/event-map.ts";

/** What passes through a function for one of dirge's hooks; null: nothing of the agent's work. */
const seenAt: Record<DirgeHook, Insight | null> = {
  "on-init": null,
  "before-agent-start": "prompts",
  "on-prompt": "prompts",
  "transform-context": "prompts",
  "on-turn-start": null,
  "on-message-update": "prompts",
  "on-tool-start": "calls",
  "on-tool-end": "results",
  "on-turn-end": "prompts",
  "on-error": null,
  "on-response": "prompts",
  "message-end": "prompts",
  "on-complete": null,
  "prepare-next-run": null,
  "on-before-compact": null,
  "on-compact": "prompts",
};

/** What of an agent's work goes through a plugin with functions for these hooks, the weightiest first. */
export function insightsOf(hooks: Iterable<DirgeHook>): Insight[] {
  const found = new Set([...hooks].map((hook) => seenAt[hook]));
  return insightSchema.options.filter((one) => found.has(one));
}
