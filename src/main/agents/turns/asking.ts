import type { Agent } from "../../../contract/index.ts";
import type { TurnEffects } from "../effects/turn-effects.ts";
import type { AskOptions, Heard } from "../models/index.ts";
import type { Span } from "../record/recorder.ts";

/** The options of a model call: how much it is to think as a plugin asked for, else as the agent is set. */
export function askOptions(
  given: AskOptions | undefined,
  { thinking: asked }: Pick<TurnEffects, "thinking">,
  { thinking: set }: Pick<Agent, "thinking">,
): AskOptions | undefined {
  const level = asked ?? (set === "default" ? undefined : set);
  return level === undefined ? given : { ...given, reasoning: level };
}

/** Records on a call's span that it is made again, and why. */
export function heardBy(call: Span): Heard {
  return {
    waiting: (fact) => call.record({ type: "model_waiting", ...fact }),
    again: (fact) => call.record({ type: "model_again", ...fact }),
  };
}
