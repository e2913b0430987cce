import { toBytes } from "@patchbay/janet";
import type { Binder } from "./api.ts";
import { itemsAt, textAt } from "./values.ts";

/** Most characters of a question, and of an answer to choose: what is longer nobody can read, and nobody is asked. */
const LONGEST = 10_000;
/** Most answers to choose from. */
const MOST_OPTIONS = 500;

/** Functions that ask the person. Only the fiber that asks waits; everything else of the plugin goes on. */
export function bindDialogs(api: Binder): void {
  api.bindWaiting(
    "(harness/confirm title question)",
    "Asks the person for a yes. False for a no, and when nobody answers.",
    async (args, { ask }) => {
      const title = textAt(args, 0);
      const question = textAt(args, 1);
      if (title === undefined || question === undefined) return false;
      const whole = message(title, question);
      return whole.length <= LONGEST && (await ask({ kind: "confirm", message: whole })) === true;
    },
  );
  api.bindWaiting(
    "(harness/select title options)",
    "Lets the person choose one of several texts; nil when they choose none.",
    async (args, { ask }) => {
      const title = textAt(args, 0);
      const options = itemsAt(args, 1)?.map((_item, at, items) => textAt(items, at));
      if (title === undefined || options === undefined || options.length === 0) return null;
      const texts = options.filter((option) => option !== undefined);
      if (texts.length < options.length || texts.length > MOST_OPTIONS) return null;
      if ([title, ...texts].some((text) => text.length > LONGEST)) return null;
      const choices = [...new Set(texts)].map((value) => ({ value, label: value }));
      const answer = await ask({ kind: "select", message: title, options: choices });
      return typeof answer === "string" ? toBytes(answer) : null;
    },
  );
}

function message(title: string, question: string): string {
  return [title, question].filter((part) => part.trim() !== "").join("\n\n");
}
