import { PatchbayError, type Problem } from "../../../contract/index.ts";
import type { Run } from "../run/run.ts";

/** What troubles a run that can be called: silence counts more than what it reports, a lost name least. */
export function troubleOf(run: Run, notResponding: boolean, clash: Problem | null): Problem | null {
  if (!notResponding) return run.reported ?? clash;
  const plugin = run.plugin.displayName;
  return new PatchbayError("NOT_RESPONDING", `${plugin} does not answer.`, {
    details: { plugin },
  }).toProblem();
}

/** What a start that did not come to its end means for the plugin. */
export function kindOfFailure(problem: Problem): "called_off" | "lacks_setup" | "crashed" | "failed" {
  switch (problem.code) {
    case "ABORTED":
      return "called_off";
    case "MISSING_SECRET":
    case "NEEDS_SETUP":
    // It waits for the person to open the secrets; nothing is wrong with it.
    case "VAULT_CLOSED":
      return "lacks_setup";
    case "HOST_CRASHED":
      return "crashed";
    default:
      return "failed";
  }
}
