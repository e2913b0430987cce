import type { Problem, RuntimeState } from "../../../contract/index.ts";
import { mapStrings } from "../../secrets/redaction/map-strings.ts";

interface Redactor {
  redact(text: string): string;
}

/** A problem without any stored secret in it. */
export function redactProblem(vault: Redactor, problem: Problem): Problem {
  return mapStrings(problem, (text) => vault.redact(text)) as Problem;
}

export function redactState(vault: Redactor, state: RuntimeState): RuntimeState {
  return mapStrings(state, (text) => vault.redact(text)) as RuntimeState;
}
