import { toText } from "@patchbay/janet";
import type { CallState } from "../call-state.ts";
import type { Binder } from "./api.ts";
import { textAt } from "./values.ts";

type Slot = keyof CallState["left"];

/** Functions that change what goes to the model and what comes from it. Each returns nil; what is no string is not taken. */
export function bindPrompt(api: Binder): void {
  const slot = (usage: string, doc: string, name: Slot) =>
    api.bind(usage, doc, (args, { call }) => {
      const text = textAt(args, 0);
      if (text !== undefined) call.left[name] = text;
      return null;
    });
  slot("(harness/replace-prompt text)", "Puts a text in the place of the person's message.", "replacePrompt");
  slot(
    "(harness/replace-context json)",
    "The messages of this model call, as a JSON array.",
    "replaceContext",
  );
  slot("(harness/rewrite-message text)", "Stores another text than the answer's own.", "rewriteMessage");
  slot("(harness/set-compact-summary text)", "The summary of what is folded away.", "compactSummary");
  slot("(harness/block reason)", "Refuses the tool call.", "block");
  slot("(harness/mutate-input json)", "Other arguments for the tool call, as a JSON object.", "mutateInput");
  slot("(harness/replace-result text)", "Another result of the tool call.", "replaceResult");
  api.bind(
    "(harness/request-prompt text)",
    "In on-prompt a hint for the model; elsewhere a message that is answered in a run of its own.",
    (args, { call }) => {
      const text = textAt(args, 0);
      if (text !== undefined) call.requestPrompt(text);
      return null;
    },
  );
  api.bind(
    "(harness/append-system-prompt text)",
    "Adds a text to the system prompt of the run that begins.",
    (args, { call: { left } }) => {
      const text = textAt(args, 0);
      if (text !== undefined)
        left.appendSystem = left.appendSystem === undefined ? text : `${left.appendSystem}\n${text}`;
      return null;
    },
  );
  api.variable("harness-response", "The last answer of the model.");
  api.bind("(harness/store-response text)", "Keeps the last answer of the model.", ([text = null], world) => {
    if (typeof text === "string") world.setVariable("harness-response", text);
    return null;
  });
  api.bind("(harness/log msg)", "Writes a line into the plugin's log.", ([text = null], world) => {
    if (typeof text === "string") world.log("info", toText(text));
    return null;
  });
}
