import { PatchbayError, type Problem } from "../../../contract/index.ts";
import type { Run } from "../run/run.ts";

/**
 * The problem of a running plugin that screens show, or null. First that it does not respond, then what it reported,
 * then a name that another plugin has.
 */
export function troubleOf(run: Run, notResponding: boolean, clash: Problem | null): Problem | null {
  if (!notResponding) return run.reported ?? clash;
  const plugin = run.plugin.displayName;
  return new PatchbayError("NOT_RESPONDING", `${plugin} does not answer.`, {
    details: { plugin },
  }).toProblem();
}

/** The kind of a failed start, which decides the state of the instance. */
export function kindOfFailure(
  problem: Problem,
): "called_off" | "lacks_setup" | "crashed" | "out_of_reach" | "failed" {
  switch (problem.code) {
    case "ABORTED":
      return "called_off";
    case "MISSING_SECRET":
    case "NEEDS_SETUP":
    case "SECRET_NOT_GIVEN":
    // Nothing is wrong with the plugin: the person has to open the vault first.
    case "VAULT_CLOSED":
    // Nor is it here: the machine has nothing that would hold it.
    case "WALLS_MISSING":
      return "lacks_setup";
    case "HOST_CRASHED":
      return "crashed";
    case "SERVER_UNREACHABLE":
      return "out_of_reach";
    default:
      return "failed";
  }
}

/** The problem of a plugin that is not started again by itself. */
export function gaveUp(crash: Problem): Problem {
  // The help of a crash says that the plugin starts again by itself.
  const { help: _, ...end } = crash;
  const message = "It crashed three times within five minutes and is not started again by itself.";
  return new PatchbayError("QUARANTINED", message, { details: { crash: end } }).toProblem();
}

/** What the log says of a start that is tried again. @param pause milliseconds until then */
export function nextTry({ message }: Problem, pause: number): string {
  return `${message} Next try in ${pause / 1_000} s.`;
}
