import {
  PatchbayError,
  type Problem,
  type SetupAnswer,
  type SetupField,
  type SetupStep,
  type SetupStepKind,
  setupAnswers,
} from "../../../contract/index.ts";

/** What is wrong with an answer that the shown step does not take: BAD_INPUT with `details` {step, expected, given}. */
export function otherKind(step: SetupStep, answer: SetupAnswer): Problem | null {
  const expected = step.kind === "error" && !step.canRetry ? [] : setupAnswers[step.kind];
  if (expected.includes(answer.kind)) return null;
  const message = `${sentences[step.kind]} It cannot be answered with "${answer.kind}".`;
  const details = { step: step.kind, expected: [...expected], given: answer.kind };
  return new PatchbayError("BAD_INPUT", message, { details }).toProblem();
}

/** What each step expects, in words. */
const sentences: Readonly<Record<SetupStepKind, string>> = {
  progress: "The setup is working and expects no answer.",
  form: 'This step of the setup expects "values": what is typed into its fields.',
  menu: 'This step of the setup expects "choice": one of its options.',
  settings: 'This step of the setup expects "settings": the settings of the plugin.',
  external: 'This step of the setup waits for something outside and expects at most "renew".',
  oauth: 'This step of the setup waits for a sign-in and expects at most "open" or "way".',
  done: "The setup is done and expects no answer.",
  error: 'This step of the setup failed and expects "retry", if anything.',
};

/** An answer to a step that is not shown any more, or is about to be replaced. */
export function stale(step: SetupStep, stepId: string): Problem {
  return new PatchbayError("SETUP_STALE", "This step of the setup is over; another one is shown now.", {
    details: { yours: stepId, current: step.id, kind: step.kind },
  }).toProblem();
}

export function setupOver(): Problem {
  return new PatchbayError("SETUP_NOT_FOUND", "That setup is over.").toProblem();
}

/** The refusal of a value that was not among those offered; null when it was. */
export function notOffered(what: string, offered: readonly string[], given: string): Problem | null {
  if (offered.includes(given)) return null;
  return new PatchbayError("BAD_INPUT", `Choose one of ${what}: ${offered.join(", ")}.`, {
    details: { offered: [...offered], given },
  }).toProblem();
}

/**
 * What the person typed into a plugin's form, as the plugin asked for it: known fields only, numbers as numbers; or what
 * is wrong with it: BAD_INPUT with `details.fields` ({path, message}).
 */
export function checkedValues(
  fields: readonly SetupField[],
  answer: Extract<SetupAnswer, { kind: "values" }>,
): { values: Record<string, string | number> } | { problem: Problem } {
  const values: Record<string, string | number> = {};
  const wrong: { path: string; message: string }[] = [];
  for (const field of fields) {
    const { key, label, type, required } = field;
    const text = String(answer.values[key] ?? "").trim();
    if (text === "") {
      if (required) wrong.push({ path: key, message: `${label} is missing.` });
      continue;
    }
    const value = type === "number" ? Number(text) : type === "choices" ? listed(text).join(",") : text;
    const fault = faultOf(field, value);
    if (fault !== null) wrong.push({ path: key, message: fault });
    values[key] = value;
  }
  const [first] = wrong;
  if (!first) return { values };
  const details = { fields: wrong };
  return { problem: new PatchbayError("BAD_INPUT", first.message, { details }).toProblem() };
}

/** What is wrong with the value of a field, as a sentence; null: nothing. */
function faultOf({ label, type, options = [], min, max }: SetupField, value: string | number): string | null {
  switch (type) {
    case "number":
      if (!Number.isFinite(value)) return `${label} must be a number.`;
      if (min !== undefined && Number(value) < min) return `${label} must be ${min} or more.`;
      return max !== undefined && Number(value) > max ? `${label} must be ${max} or less.` : null;
    case "choice":
    case "choices": {
      const picked = type === "choice" ? [String(value)] : listed(String(value));
      const unknown = picked.find((each) => !options.some((option) => option.value === each));
      return unknown === undefined ? null : `${label} has no choice ${unknown}.`;
    }
    case "switch":
      return value === "true" || value === "false" ? null : `${label} is true or false.`;
    case "text":
    case "phone":
    case "password":
      return null;
  }
}

const listed = (text: string) => text.split(",").map((value) => value.trim());

/** What was typed into password fields. */
export function passwordsIn(
  fields: readonly SetupField[],
  values: Record<string, string | number>,
): string[] {
  return fields.flatMap(({ key, type }) => {
    const value = values[key];
    return type === "password" && value !== undefined ? [String(value)] : [];
  });
}
