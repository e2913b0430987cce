import type { ThinkingLevel } from "@patchbay/plugin-sdk";
import type { Binder } from "./api.ts";
import { textAt, wordAt } from "./values.ts";

const levels: readonly string[] = [
  "off",
  "minimal",
  "low",
  "medium",
  "high",
  "xhigh",
] satisfies ThinkingLevel[];

/** Functions that steer the run of the agent. */
export function bindRun(api: Binder): void {
  api.bind("(harness/set-next-model name)", "The model of the next run.", (args, { call }) => {
    const model = textAt(args, 0);
    if (model !== undefined) call.effects.push({ kind: "nextModel", model });
    return null;
  });
  api.bind(
    "(harness/set-next-thinking-level level)",
    "How much the model thinks from its next call on: off, minimal, low, medium, high or xhigh.",
    (args, { call }) => {
      const level = wordAt(args, 0);
      if (level !== undefined && levels.includes(level))
        call.effects.push({ kind: "thinkingLevel", level: level as ThinkingLevel });
      return null;
    },
  );
  api.bind("(harness/request-stop-after-turn)", "Ends the run after this model call.", (_args, { call }) => {
    call.effects.push({ kind: "stopAfterTurn" });
    return null;
  });
  for (const [name, kind, doc] of [
    ["harness/add-steering", "steer", "A message to the model before its next call."],
    ["harness/add-followup", "followUp", "A message to the model when it would stop."],
  ] as const)
    api.bind(`(${name} content)`, doc, (args, { call }) => {
      const text = textAt(args, 0);
      if (text !== undefined) call.effects.push({ kind, text });
      return null;
    });
}
