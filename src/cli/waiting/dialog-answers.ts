import {
  type Dialog,
  type DialogAnswer,
  type DialogQuestion,
  type DialogSubject,
  defaultAnswerOf,
  PatchbayError,
  wantedLines,
} from "../../contract/index.ts";
import type { CliContext } from "../context.ts";
import { type Picked, type PickOption, pickOne, pickSome } from "../terminal/picked.ts";
import { askForm, askLink, formFrom, linkFrom, replyText } from "./form-answers.ts";

/**
 * Puts a question to the person at the terminal, once.
 * @param again its answer was refused: what was pasted behind that one is taken for no answer
 */
export async function askDialog(
  { terminal, output }: Pick<CliContext, "terminal" | "output">,
  dialog: Dialog,
  signal: AbortSignal,
  again: boolean,
): Promise<DialogAnswer> {
  const { about, question, pluginKey, context } = dialog;
  if (about) {
    for (const line of aboutLines(about, pluginKey)) output.note(line);
    // Whoever presses Enter has refused.
    return terminal.choose("Allow it?", optionsAbout(about, question), signal, { default: "no" });
  }
  output.note(`\n▲ ${pluginKey} asks (${context}):`);
  const whose = { asker: pluginKey, again };
  switch (question.kind) {
    case "confirm":
      return terminal.confirm(question.message, signal, { default: question.default, ...whose });
    case "text":
      if (!question.secret)
        return terminal.ask(question.message, signal, { default: question.default, ...whose });
      return (await terminal.optionalSecret(question.message, signal, whose)) || (question.default ?? "");
    case "select":
      return terminal.choose(question.message, question.options, signal, {
        default: question.default,
        ...whose,
      });
    case "multi_select":
      return terminal.chooseSome(question.message, question.options, signal, {
        default: question.default,
        ...whose,
      });
    case "form":
      return askForm({ terminal, output }, question, signal, whose);
    case "link":
      return askLink({ terminal, output }, question, signal, whose);
  }
}

const hostOptions: readonly PickOption[] = [
  { value: "once", label: "Until it stops", keys: ["s", "once"] },
  { value: "always", label: "Always", keys: ["a"] },
  { value: "no", label: "No", keys: ["n"] },
];

/** A question of Patchbay about a plugin, in a few words. @param who the plugin */
export function aboutInShort(about: DialogSubject, who: string): string {
  switch (about.kind) {
    case "host":
      return `may ${who} reach ${about.host}?`;
    case "model":
      return `may ${who} ask the model ${about.model}?`;
  }
}

function aboutLines(about: DialogSubject, pluginKey: string): string[] {
  const asks = (what: string) => `\n▲ Patchbay asks: may the plugin ${pluginKey} ${what}?`;
  switch (about.kind) {
    case "host": {
      const where = about.place === null ? about.host : `${about.host}, which is ${about.place}`;
      return [
        asks(`reach ${where}`),
        "  It was not granted this host. What it sends there, Patchbay does not see.",
      ];
    }
    case "model":
      return [
        asks(`ask the model ${about.model} this`),
        ...wantedLines(about).map((line) => `  ${line.replaceAll("\n", "\n  ")}`),
      ];
  }
}

/** What can be answered to a question of Patchbay about a plugin. */
function optionsAbout({ kind }: DialogSubject, question: DialogQuestion): readonly PickOption[] {
  if (kind === "host") return hostOptions;
  const offered = new Set("options" in question ? question.options.map(({ value }) => value) : []);
  return modelOptions.filter(({ value }) => offered.has(value));
}

const modelOptions: readonly PickOption[] = [
  { value: "once", label: "Once", keys: ["o", "once"] },
  { value: "session", label: "For this conversation", keys: ["s", "session"] },
  { value: "no", label: "No", keys: ["n"] },
];

/** The answer that a question gets where nobody is asked; undefined when it has none. */
export function defaultOf({ about, question }: Pick<Dialog, "about" | "question">): DialogAnswer | undefined {
  return about ? undefined : defaultAnswerOf(question);
}

/**
 * An answer written as text: `yes` or `no`, a text, or the numbers, texts or values of options with commas between.
 * @throws PatchbayError BAD_INPUT when the text is no answer of that kind
 */
export function answerFrom(
  { about, question }: Pick<Dialog, "about" | "question">,
  text: string,
): DialogAnswer {
  switch (question.kind) {
    case "confirm":
      if (/^(y|yes|true)$/i.test(text.trim())) return true;
      if (/^(n|no|false)$/i.test(text.trim())) return false;
      throw new PatchbayError("BAD_INPUT", "The answer must be yes or no.", { help: seeList });
    case "text":
      return text;
    case "select":
      return picked(pickOne(text, about ? optionsAbout(about, question) : question.options))[0] ?? null;
    case "multi_select":
      return picked(pickSome(text, question.options));
    case "form":
      return formFrom(question, text);
    case "link":
      return linkFrom(text);
  }
}

const seeList = "`patchbay dialog list` shows the question with its options.";

function picked(found: Picked): string[] {
  if ("values" in found) return found.values;
  throw new PatchbayError("BAD_INPUT", found.wrong, { help: seeList });
}

/** What an answer is in words: the labels of what was picked, yes or no, the text. */
export function answerText(question: DialogQuestion, answer: DialogAnswer): string {
  const label = (value: string) =>
    ("options" in question && question.options.find((option) => option.value === value)?.label) || value;
  if (answer === null) return "none";
  if (typeof answer === "boolean") return answer ? "yes" : "no";
  if (typeof answer === "object" && "action" in answer)
    return question.kind === "form" || question.kind === "link" ? replyText(question, answer) : "none";
  if (Array.isArray(answer)) return answer.map(label).join(", ") || "none of them";
  return question.kind === "text" && question.secret ? "(not shown)" : label(answer);
}
