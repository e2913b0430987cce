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
  for (const { key, label, type, required, options = [] } of fields) {
    const text = String(answer.values[key] ?? "").trim();
    if (text === "") {
      if (required) wrong.push({ path: key, message: `${label} is missing.` });
      continue;
    }
    const number = Number(text);
    if (type === "number" && !Number.isFinite(number)) {
      wrong.push({ path: key, message: `${label} must be a number.` });
    }
    const picked = type === "choices" ? text.split(",").map((value) => value.trim()) : [];
    const unknown = picked.find((value) => !options.some((option) => option.value === value));
    if (unknown !== undefined) wrong.push({ path: key, message: `${label} has no choice ${unknown}.` });
    values[key] = type === "number" ? number : type === "choices" ? picked.join(",") : text;
  }
  const [first] = wrong;
  if (!first) return { values };
  const details = { fields: wrong };
  return { problem: new PatchbayError("BAD_INPUT", first.message, { details }).toProblem() };
}

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
