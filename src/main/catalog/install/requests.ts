import { type InstallRequest, installRequestSchema } from "../../../contract/index.ts";

type Answers = Pick<InstallRequest, "yes" | "look" | "allowScripts" | "acceptRisk">;

/**
 * A request without the answers that it carried in advance. They hold for the one run that they were given for: what the
 * same address holds later may be something else.
 */
export function askingAnew(request: InstallRequest): InstallRequest {
  return { ...request, yes: false, look: false, allowScripts: false, acceptRisk: false } satisfies Answers;
}

/** A request for something that is installed already, with what of its consent is given in advance. */
export function inAdvance(answers: Pick<Answers, "yes" | "acceptRisk">): InstallRequest {
  const { yes, acceptRisk } = answers;
  return installRequestSchema.parse({ spec: "installed", yes, acceptRisk });
}
