import type { Api, Model, SimpleStreamOptions } from "@earendil-works/pi-ai";
import type { ModelThinking } from "../../../contract/index.ts";

/**
 * How a model is asked with a level of thinking. Without one it is asked as a model that does not think, so that its
 * provider does what it does by itself. A model that is not known to think is asked as ever: a request that it does not
 * understand would fail.
 */
export function asksToThink(
  model: Model<Api>,
  level: ModelThinking | undefined,
): { model: Model<Api>; options: Pick<SimpleStreamOptions, "reasoning"> } {
  if (level === undefined || !model.reasoning) return { model: { ...model, reasoning: false }, options: {} };
  return { model, options: level === "off" ? {} : { reasoning: level } };
}
