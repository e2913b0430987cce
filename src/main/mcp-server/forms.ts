import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import {
  type Approval,
  type ApprovalDecision,
  asksForSecret,
  type Dialog,
  type DialogAnswer,
  type DialogQuestion,
} from "../../contract/index.ts";
import { exactText } from "../../contract/shown/clean-text.ts";
import { schemaOf, valuesOf } from "./form-fields.ts";

/** A question as MCP puts it to the person: a text and one field, `answer`. */
export type Form = Pick<ElicitRequestFormParams, "message" | "requestedSchema">;
type Field = Form["requestedSchema"]["properties"][string];

/** What a client says of a form. */
export interface Given {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown> | undefined;
}

/** Whether a call may run. "Always" is not among the answers: a rule is made in Patchbay alone. */
export function approvalForm(
  { title, does, arguments: input, changedBy }: Approval,
  hasSession: boolean,
): Form {
  const changed = changedBy.length > 0 ? `\nChanged by: ${changedBy.join(", ")}` : "";
  const what = does ? `\n${does}` : "";
  return form(`${title} wants to run.${what}\n\n${exactText(JSON.stringify(input, null, 2))}${changed}`, {
    type: "string",
    title: "May it run?",
    enum: ["once", ...(hasSession ? ["session"] : []), "no"],
    enumNames: ["Allow once", ...(hasSession ? ["Allow for this session"] : []), "No"],
    default: "no",
  });
}

/** The person's decision; undefined when they left the question open. */
export function decisionOf({ action, content }: Given, program: string): ApprovalDecision | undefined {
  if (action === "cancel") return undefined;
  const answer = action === "accept" ? content?.answer : "no";
  if (answer === "once" || answer === "session") return { decision: "allow", scope: answer };
  return { decision: "deny", reason: `refused in ${program}` };
}

/** The code with which the person proves that it is they who allow a call. */
export function codeForm(tries: number): Form {
  const wrong = tries > 0 ? "That was not the code. " : "";
  return form(
    `${wrong}Allowing a call is for you alone. Type the confirmation code that Patchbay shows where it runs, or answer the question in Patchbay.`,
    { type: "string", title: "Confirmation code", minLength: 6, maxLength: 7 },
  );
}

export function codeOf({ action, content }: Given): string | undefined {
  return action === "accept" && typeof content?.answer === "string" ? content.answer : undefined;
}

/**
 * A plugin's question; undefined for one that is put in Patchbay alone: a secret, which must not pass through another
 * program, an address to open, and whether a plugin may reach a host, which is for the person alone.
 */
export function dialogForm({ about, question, pluginKey }: Dialog): Form | undefined {
  if (!about && question.kind === "form")
    return asksForSecret(question)
      ? undefined
      : { message: `${pluginKey} asks: ${question.message}`, requestedSchema: schemaOf(question.fields) };
  const field = about ? undefined : fieldOf(question);
  return field && form(`${pluginKey} asks: ${question.message}`, field);
}

/** @returns null when the person gave no answer */
export function dialogAnswerOf({ action, content }: Given, question: DialogQuestion): DialogAnswer {
  if (question.kind === "form") {
    if (action === "cancel") return null;
    return action === "decline" ? { action } : { action, values: valuesOf(content) };
  }
  const answer = action === "accept" ? content?.answer : null;
  if (typeof answer === "string" || typeof answer === "boolean") return answer;
  return Array.isArray(answer) && answer.every((one) => typeof one === "string") ? answer : null;
}

function fieldOf(question: DialogQuestion): Field | undefined {
  switch (question.kind) {
    case "form":
    case "link":
      return undefined;
    case "confirm":
      return {
        type: "boolean",
        title: "Yes?",
        ...(question.default !== undefined && { default: question.default }),
      };
    case "text":
      if (question.secret) return undefined;
      return {
        type: "string",
        title: "Answer",
        ...(question.placeholder !== undefined && { description: question.placeholder }),
        ...(question.default !== undefined && { default: question.default }),
      };
    case "select":
      return {
        type: "string",
        title: "Answer",
        enum: question.options.map(({ value }) => value),
        enumNames: question.options.map(({ label }) => label),
        ...(question.default !== undefined && { default: question.default }),
      };
    case "multi_select":
      return {
        type: "array",
        title: "Answers",
        items: { anyOf: question.options.map(({ value, label }) => ({ const: value, title: label })) },
        ...(question.default !== undefined && { default: question.default }),
      };
  }
}

function form(message: string, answer: Field): Form {
  return { message, requestedSchema: { type: "object", properties: { answer }, required: ["answer"] } };
}
