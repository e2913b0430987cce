import {
  PatchbayError,
  type SetupAnswer,
  type SetupField,
  type SetupStep,
  type SetupStepKind,
  setupAnswers,
} from "../../../contract/index.ts";

/**
 * What the person typed into a plugin's form, as the plugin asked for it: known fields only, numbers as numbers.
 *
 * @throws PatchbayError BAD_INPUT with `details.fields` ({path, message})
 */
export function checkedValues(
  fields: readonly SetupField[],
  answer: Extract<SetupAnswer, { kind: "values" }>,
): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  const wrong: { path: string; message: string }[] = [];
  for (const { key, label, type, required } of fields) {
    const text = String(answer.values[key] ?? "").trim();
    if (text === "") {
      if (required) wrong.push({ path: key, message: `${label} is missing.` });
      continue;
    }
    const number = Number(text);
    if (type === "number" && !Number.isFinite(number)) {
      wrong.push({ path: key, message: `${label} must be a number.` });
    }
    values[key] = type === "number" ? number : text;
  }
  const [first] = wrong;
  if (first) throw new PatchbayError("BAD_INPUT", first.message, { details: { fields: wrong } });
  return values;
}

/**
 * Refuses an answer that the shown step does not take.
 *
 * @throws PatchbayError BAD_INPUT with `details` {expected, given}
 */
export function refuseOther(step: SetupStep, answer: SetupAnswer): void {
  const expected = step.kind === "error" && !step.canRetry ? [] : setupAnswers[step.kind];
  if (expected.includes(answer.kind)) return;
  throw new PatchbayError(
    "BAD_INPUT",
    `${sentences[step.kind]} It cannot be answered with "${answer.kind}".`,
    {
      details: { step: step.kind, expected: [...expected], given: answer.kind },
    },
  );
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
