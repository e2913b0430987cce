import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type DialogAnswer, type DialogQuestion, PatchbayError } from "../../../../../contract/index.ts";
import type { CallScope } from "../../../plugin-call.ts";
import { cleanText } from "../output/clean-text.ts";
import type { Question } from "./messages.ts";

/** How a run's questions are answered: by the person, by their defaults, or not at all. */
export type PromptMode = "ask" | "defaults" | "fail";

/**
 * How questions are answered, by the plugin's settings. A person who writes through a channel cannot see a dialog of this
 * desktop, so the questions get their default answers.
 */
export function promptModeOf(
  { prompts }: Record<string, unknown>,
  { caller }: Pick<CallScope, "caller">,
): PromptMode {
  if (caller.kind === "channel") return "defaults";
  return prompts === "defaults" || prompts === "fail" ? prompts : "ask";
}

export interface Asking {
  mode: PromptMode;
  /** The folder that relative paths in answers start from. */
  root: string;
  /** Null when nobody answered. */
  ask(question: DialogQuestion): Promise<DialogAnswer>;
}

type Reply = string | boolean | string[];

/**
 * Answers a question of a plugin.
 * @throws PatchbayError TOOL_FAILED when there can be no answer; ABORTED when the person gave none: the run ends then
 */
export async function answerQuestion(question: Question, asking: Asking): Promise<Reply> {
  const { mode } = asking;
  if (question.type === "select" && question.options.length === 0) {
    throw unanswerable(question, "it offers nothing to choose from");
  }
  if (mode === "fail") throw unanswerable(question, "questions are switched off for this plugin");
  if (mode === "defaults") return unattended(question);
  // With no options there is nothing to choose, so the answer is the empty list.
  if (question.type === "multi_select" && question.options.length === 0) return [];
  return attended(question, asking);
}

/** The default answers, the same that fledge gives without a terminal. */
function unattended(question: Question): Reply {
  switch (question.type) {
    case "prompt":
      if (typeof question.default === "string") return question.default;
      throw unanswerable(question, "nobody is there to answer it, and it has no default");
    case "confirm":
      return question.default ?? false;
    case "select": {
      const option = question.options[question.default ?? 0];
      if (option !== undefined) return option;
      throw unanswerable(question, "nobody is there to answer it, and its default is none of the options");
    }
    case "multi_select":
      return pick(question.options, question.defaults ?? []);
  }
}

async function attended(question: Question, asking: Asking): Promise<Reply> {
  const dialog = dialogOf(question);
  const { message } = dialog;
  for (;;) {
    const answer = await asking.ask(dialog);
    if (answer === null) {
      throw new PatchbayError("ABORTED", `Its question “${message}” was not answered, so it was stopped.`, {
        help: "Answer when it asks, or let its questions have their defaults: prompts=defaults in its settings.",
      });
    }
    const reply = replyOf(question, answer);
    const wrong = await wrongPath(question, reply, asking.root);
    if (wrong === null) return reply;
    dialog.message = `${message}\n${wrong}`;
  }
}

function dialogOf(question: Question): DialogQuestion {
  const message = cleanText(question.message).slice(0, 4_000);
  switch (question.type) {
    case "prompt":
      return {
        kind: "text",
        message,
        ...(typeof question.default === "string" && { default: question.default }),
        ...(isRule(question.validate) && { validate: question.validate }),
      };
    case "confirm":
      return { kind: "confirm", message, default: question.default ?? false };
    case "select": {
      const chosen = question.default ?? undefined;
      const inRange = chosen !== undefined && chosen < question.options.length;
      return {
        kind: "select",
        message,
        options: labelled(question),
        ...(inRange && { default: String(chosen) }),
      };
    }
    case "multi_select":
      return {
        kind: "multi_select",
        message,
        options: labelled(question),
        default: (question.defaults ?? []).filter((at) => at < question.options.length).map(String),
      };
  }
}

/** The options with their position as value, because two options may have the same text. */
function labelled({ options }: { options: string[] }): { value: string; label: string }[] {
  return options.map((option, at) => ({ value: String(at), label: cleanText(option) || "(empty)" }));
}

function replyOf(question: Question, answer: Exclude<DialogAnswer, null>): Reply {
  switch (question.type) {
    case "prompt":
      return String(answer);
    case "confirm":
      return answer === true;
    case "select":
      return question.options[Number(answer)] ?? "";
    case "multi_select":
      return pick(question.options, Array.isArray(answer) ? answer.map(Number) : []);
  }
}

function pick(options: readonly string[], places: readonly number[]): string[] {
  return places.flatMap((at) => options[at] ?? []);
}

async function wrongPath(question: Question, reply: Reply, root: string): Promise<string | null> {
  if (question.type !== "prompt" || question.validate !== "path_exists" || typeof reply !== "string")
    return null;
  const exists = await stat(resolve(root, reply)).then(
    () => true,
    () => false,
  );
  return exists ? null : `There is nothing at “${reply}”.`;
}

const rules = ["non_empty", "integer", "path_exists", "url"] as const;

function isRule(value: unknown): value is (typeof rules)[number] {
  return rules.some((rule) => rule === value);
}

function unanswerable(question: Question, reason: string): PatchbayError {
  return new PatchbayError(
    "TOOL_FAILED",
    `Its question “${cleanText(question.message)}” got no answer: ${reason}.`,
  );
}
