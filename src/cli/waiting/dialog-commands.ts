import type { Command } from "commander";
import { type Dialog, type DialogAnswer, PatchbayError, wantedLines } from "../../contract/index.ts";
import { type Perform, usageError, withClient } from "../command.ts";
import type { CliContext, Client } from "../context.ts";
import type { Output } from "../terminal/output.ts";
import { aboutInShort, answerFrom, answerText, askDialog, defaultOf } from "./dialog-answers.ts";
import { fieldLines } from "./form-answers.ts";
import { untilTaken } from "./until-taken.ts";

/** `patchbay dialog list | answer`: what running plugins ask the person. */
export function addDialogCommands(program: Command, perform: Perform): void {
  const dialog = program
    .command("dialog")
    .description("questions of running plugins that wait for an answer");

  dialog
    .command("list")
    .description("what is asked, with the options and the default")
    .action(() =>
      perform(
        withClient(async ({ output }, client) => {
          const open = await client.dialogs.list();
          output.result(open, () =>
            open.length === 0
              ? "Nothing waits for an answer."
              : open.map((one) => described(one, output)).join("\n\n"),
          );
        }),
      ),
    );

  const answer = dialog
    .command("answer <id> [answer]")
    .description("answer a question; without an answer, ask for it at the terminal")
    .option("--default", "take the question's default")
    .option("--cancel", "end what asks, unanswered")
    .addHelpText(
      "after",
      "\nAn answer is yes or no, a text, or the number or text of an option; several options with commas between. A form takes name=value pairs with semicolons between, or decline.",
    )
    .action((id: string, text: string | undefined, options: AnswerOptions) => {
      const ways = [text !== undefined, options.default, options.cancel].filter(Boolean).length;
      if (ways > 1) usageError(answer, "give an answer, --default or --cancel, one of them");
      return perform(
        withClient(async (context, client) => {
          const open = (await client.dialogs.list()).find((one) => one.id === id);
          if (!open) throw new PatchbayError("DIALOG_NOT_FOUND", `No open question has the id ${id}.`);
          const given = await answered(context, client, open, text, options);
          const shown = given === null ? null : answerText(open.question, given);
          context.output.result(
            { ok: true, id, answer: shown },
            () =>
              `${context.output.paint.good("✓")} ${shown === null ? "It is cancelled." : `Answered: ${shown}`}`,
          );
          return 0;
        }),
      );
    });
}

interface AnswerOptions {
  default?: boolean;
  cancel?: boolean;
}

/** Answers with what was given, or asks at the terminal until an answer is taken. */
async function answered(
  context: CliContext,
  client: Client,
  dialog: Dialog,
  text: string | undefined,
  options: AnswerOptions,
): Promise<DialogAnswer> {
  const { terminal, output, signal } = context;
  const take = (answer: DialogAnswer) => client.dialogs.answer({ id: dialog.id, answer });
  const isGiven = text !== undefined || options.default || options.cancel;
  if (!isGiven && terminal.interactive && !output.json)
    return untilTaken(output, signal, (again) => askDialog(context, dialog, signal, again), take);
  const answer = await givenAnswer(context, dialog, text, options);
  await take(answer);
  return answer;
}

async function givenAnswer(
  { terminal, signal }: CliContext,
  dialog: Dialog,
  text: string | undefined,
  options: AnswerOptions,
): Promise<DialogAnswer> {
  if (options.cancel) return null;
  if (options.default) {
    const fallback = defaultOf(dialog);
    if (fallback !== undefined) return fallback;
    throw new PatchbayError("BAD_INPUT", "That question has no default.", { help: "Give an answer." });
  }
  if (text !== undefined) return answerFrom(dialog, text);
  if (dialog.question.kind === "text" && dialog.question.secret) return terminal.secret("", signal);
  throw new PatchbayError("BAD_INPUT", "Nobody can be asked here.", {
    help: "Give the answer behind the id, or --default or --cancel.",
  });
}

/** A question as a person reads it: who asks what, what can be answered, and what Enter would take. */
function described(dialog: Dialog, { paint }: Output): string {
  const { id, agentId, pluginKey, context, question, about } = dialog;
  const options = "options" in question ? question.options : [];
  const fallback = defaultOf(dialog);
  const asks = about ? aboutInShort(about, "the plugin") : question.message;
  return [
    `${paint.bold(id)}  ${kinds[question.kind]}`,
    `  ${about ? `Patchbay, about ${pluginKey}` : pluginKey} asks for ${agentId} (${context}): ${asks}`,
    ...(about?.kind === "model" ? wantedLines(about).map((line) => `    ${line}`) : []),
    ...options.map(({ label }, index) => `    ${index + 1}  ${label}`),
    ...(question.kind === "form" ? fieldLines(question) : []),
    ...(question.kind === "link" ? [`    ${question.url}`] : []),
    ...(fallback === undefined ? [] : [`  default: ${answerText(question, fallback)}`]),
  ].join("\n");
}

const kinds: Record<Dialog["question"]["kind"], string> = {
  confirm: "yes or no",
  text: "a text",
  select: "one option",
  multi_select: "any number of options",
  form: "a form",
  link: "a page to open",
};
