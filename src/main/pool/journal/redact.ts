import type { Problem, RuntimeState } from "../../../contract/index.ts";
import { redactDeep } from "../../base/redact-deep.ts";

interface Redactor {
  redact(text: string): string;
}

/** A problem without any stored secret in it, names of fields in its details included. */
export function redactProblem(vault: Redactor, problem: Problem): Problem {
  return { ...redactDeep(problem, (text) => vault.redact(text)), code: problem.code };
}

export function redactState(vault: Redactor, state: RuntimeState): RuntimeState {
  return redactDeep(state, (text) => vault.redact(text));
}
