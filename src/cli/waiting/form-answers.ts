import {
  addressParts,
  asksForSecret,
  type DialogAnswer,
  type DialogQuestion,
  defaultValues,
  type FormField,
  type FormValue,
  type FormValues,
  faultInWords,
  formFaults,
  PatchbayError,
} from "../../contract/index.ts";
import type { CliContext } from "../context.ts";
import { type PickOption, pickSome } from "../terminal/picked.ts";

type Form = Extract<DialogQuestion, { kind: "form" }>;
type Link = Extract<DialogQuestion, { kind: "link" }>;
type Place = Pick<CliContext, "terminal" | "output">;

/** How the questions of one dialog are put. */
interface Whose {
  asker: string;
  again: boolean;
}

const formOptions: readonly PickOption[] = [
  { value: "accept", label: "Answer", keys: ["a", "yes"] },
  { value: "decline", label: "Decline", keys: ["d", "no"] },
];
const linkOptions: readonly PickOption[] = [
  { value: "accept", label: "I have finished", keys: ["f", "yes"] },
  { value: "decline", label: "Decline", keys: ["d", "no"] },
];

/** Asks for each value of a form, one after the other, until it fits its field. */
export async function askForm(
  { terminal, output }: Place,
  form: Form,
  signal: AbortSignal,
  whose: Whose,
): Promise<DialogAnswer> {
  const isSecret = asksForSecret(form);
  if (isSecret) output.note("  It seems to ask for a secret. Plugins may not ask for secrets here.");
  const chosen = await terminal.choose(form.message, formOptions, signal, {
    ...whose,
    ...(isSecret && { default: "decline" }),
  });
  if (chosen === "decline") return { action: "decline" };
  const values: FormValues = {};
  for (const field of form.fields) {
    for (;;) {
      const value = await askField(terminal, field, signal, whose);
      const [fault] = formFaults([field], value === undefined ? {} : { [field.name]: value });
      if (!fault) {
        if (value !== undefined) values[field.name] = value;
        break;
      }
      output.note(`▲ ${faultInWords(fault, field.title)}`);
    }
  }
  return { action: "accept", values };
}

async function askField(
  terminal: CliContext["terminal"],
  field: FormField,
  signal: AbortSignal,
  whose: Whose,
): Promise<FormValue | undefined> {
  const asked = field.required ? field.title : `${field.title} (may be left out)`;
  switch (field.type) {
    case "boolean":
      return terminal.confirm(asked, signal, { ...whose, default: field.default });
    case "choice": {
      const none: PickOption[] = field.required ? [] : [{ value: "", label: "None of them" }];
      const picked = await terminal.choose(asked, [...field.options, ...none], signal, {
        ...whose,
        default: field.default,
      });
      return picked === "" ? undefined : picked;
    }
    case "choices":
      return terminal.chooseSome(asked, field.options, signal, { ...whose, default: field.default });
    case "text":
    case "number": {
      const before = field.default === undefined ? undefined : String(field.default);
      return typed(field, await terminal.ask(asked, signal, { ...whose, default: before }));
    }
  }
}

/** Shows an address whole, to be opened by the person, and asks whether they have finished there. */
export async function askLink(
  { terminal, output }: Place,
  { message, url }: Link,
  signal: AbortSignal,
  whose: Whose,
): Promise<DialogAnswer> {
  const { before, host, after, disguised } = addressParts(url);
  output.note(
    `  ${message}\n  Open this address in your browser: ${before}${output.paint.bold(host)}${after}`,
  );
  if (disguised) output.note("  Its host is written with letters that may look like others.");
  const chosen = await terminal.choose("When you are done there:", linkOptions, signal, whose);
  return chosen === "decline" ? { action: "decline" } : { action: "accept", values: {} };
}

/**
 * A form's answer from a text: `decline`, or `name=value` pairs with line breaks or semicolons between; `yes` where there is
 * nothing to fill in.
 * @throws PatchbayError BAD_INPUT when it is neither
 */
export function formFrom(form: Form, text: string): DialogAnswer {
  if (/^\s*(?:decline|no|n)\s*$/i.test(text)) return { action: "decline" };
  const values: FormValues = {};
  const isBare = /^\s*(?:accept|yes|y)\s*$/i.test(text);
  for (const pair of isBare ? [] : text.split(/[;\n]/).filter((one) => one.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(pair) ?? [];
    const field =
      form.fields.find((one) => one.name === name) ?? form.fields.find((one) => one.title === name);
    if (!field)
      throw new PatchbayError("BAD_INPUT", `“${pair.trim()}” names no field of the form.`, {
        help: howToWrite,
      });
    const read = typed(field, value);
    if (read !== undefined) values[field.name] = read;
  }
  return { action: "accept", values: { ...defaultValues(form.fields), ...values } };
}

const howToWrite =
  "Give `name=value` pairs with semicolons between, or `decline`. `patchbay dialog list` names the fields.";

/** @throws PatchbayError BAD_INPUT when it says neither that it is finished nor no */
export function linkFrom(text: string): DialogAnswer {
  if (/^\s*(?:finished|yes|y)\s*$/i.test(text)) return { action: "accept", values: {} };
  if (/^\s*(?:decline|no|n)\s*$/i.test(text)) return { action: "decline" };
  throw new PatchbayError("BAD_INPUT", "The answer must be `finished` or `decline`.", {
    help: "Open the address that `patchbay dialog list` shows, and answer when you are done there.",
  });
}

/** What was typed as a value of its field; as it is when it does not fit, so that the fault is named. */
function typed(field: FormField, text: string): FormValue | undefined {
  if (text === "") return undefined;
  switch (field.type) {
    case "number":
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case "boolean":
      return /^(?:y|yes|true)$/i.test(text) ? true : /^(?:n|no|false)$/i.test(text) ? false : text;
    case "choice":
      return field.options.find(({ value, label }) => value === text || label === text)?.value ?? text;
    case "choices": {
      const picked = pickSome(text, field.options);
      return "values" in picked ? picked.values : [text];
    }
    case "text":
      return text;
  }
}

/** A reply in words: the values under their titles. */
export function replyText(
  question: Form | Link,
  reply: Exclude<DialogAnswer, null | boolean | string | string[]>,
): string {
  if (reply.action === "decline") return "declined";
  if (question.kind === "link") return "finished";
  if (asksForSecret(question)) return "(not shown)";
  const shown = question.fields.flatMap((field) => {
    const value = reply.values[field.name];
    return value === undefined ? [] : [`${field.title}: ${valueText(field, value)}`];
  });
  return shown.join(", ") || "agreed";
}

function valueText(field: FormField, value: FormValue): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const label = (one: string) =>
    ("options" in field && field.options.find((option) => option.value === one)?.label) || one;
  return Array.isArray(value) ? value.map(label).join(", ") || "none of them" : label(String(value));
}

/** The fields of a form, a line each, as they can be answered. */
export function fieldLines(form: Form): string[] {
  return form.fields.flatMap((field) => [
    `    ${field.name}  ${field.title} (${kinds[field.type]}${field.required ? "" : ", may be left out"})`,
    ...("options" in field ? field.options.map(({ label }, index) => `      ${index + 1}  ${label}`) : []),
  ]);
}

const kinds: Record<FormField["type"], string> = {
  text: "a text",
  number: "a number",
  boolean: "yes or no",
  choice: "one option",
  choices: "any number of options",
};
