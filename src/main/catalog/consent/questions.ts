import {
  type Consent,
  type ConsentAnswer,
  type ConsentQuestion,
  type FirstLook,
  type Grants,
  type Inherit,
  type InstallRequest,
  PatchbayError,
} from "../../../contract/index.ts";
import type { JobRun } from "../job-run.ts";
import type { AuditTrail } from "../services.ts";

/** What the person agreed to besides the installation itself. */
export interface Agreed {
  allowScripts: boolean;
  acceptRisk: boolean;
  inherit: Inherit;
  /** Undefined: everything that was asked for. */
  grants: Grants | undefined;
}

interface Asking {
  run: JobRun;
  request: InstallRequest;
  audit: AuditTrail | undefined;
}

/**
 * Asks whether a package that only its code can describe may be started for a look, unless the request said yes in
 * advance.
 * @throws PatchbayError CONSENT_REFUSED
 */
export async function obtainFirstLook({ run, request, audit }: Asking, firstLook: FirstLook): Promise<void> {
  const { packageName, packageVersion } = firstLook;
  run.log(`${packageName} ${packageVersion} does not say in its files what it is; only its code can tell`);
  if (request.yes || request.look) {
    audit?.record({ kind: "consent.given", question: "look", packageName, packageVersion, inAdvance: true });
    return;
  }
  const { accept } = await run.askFirstLook(firstLook, run.signal);
  audit?.record({ kind: kindOf(accept), question: "look", packageName, packageVersion });
  if (accept) return;
  throw new PatchbayError(
    "CONSENT_REFUSED",
    `${packageName} was not started and not installed: you declined.`,
  );
}

/**
 * Asks for consent to what the plugin is, unless the request agreed in advance.
 * @throws PatchbayError CONSENT_REFUSED, TRUST_REFUSED
 */
export async function obtainConsent(
  { run, request, audit }: Asking,
  consent: Consent,
  allowedBefore: boolean,
): Promise<Agreed> {
  run.showConsent(consent);
  if (request.yes) {
    assertRiskTaken(consent, request.acceptRisk);
    run.skip("consent");
    audit?.record({ ...recordOf(consent, "install", true), inAdvance: true });
    return {
      allowScripts: request.allowScripts || allowedBefore,
      acceptRisk: request.acceptRisk,
      inherit: { settings: request.replace, rules: false, secrets: false },
      grants: consent.grants,
    };
  }
  const answer = await ask(run, consent, "install", audit);
  const acceptRisk = request.acceptRisk || answer.acceptRisk;
  assertRiskTaken(consent, acceptRisk);
  return {
    allowScripts: request.allowScripts || answer.allowScripts,
    acceptRisk,
    inherit: answer.inherit,
    grants: answer.grants ?? consent.grants,
  };
}

/**
 * Asks again, because the code of the package offers more than was shown. Nobody can have agreed to that in advance.
 * @throws PatchbayError CONSENT_REFUSED
 */
export async function obtainMore({ run, audit }: Asking, consent: Consent, agreed: Agreed): Promise<Agreed> {
  const { manifestKey: pluginKey, packageName, changes } = consent;
  run.log(`Its code offers more than was shown: ${changes.join(" ")}`);
  audit?.record({ kind: "consent.exceeded", pluginKey, packageName, changes });
  const { grants } = await ask(run, consent, "more", audit);
  return { ...agreed, grants: grants ?? consent.grants };
}

async function ask(
  run: JobRun,
  consent: Consent,
  question: "install" | "more",
  audit: AuditTrail | undefined,
): Promise<ConsentAnswer> {
  return run.phase("consent", async (step) => {
    const answer = await run.askConsent(consent, step.signal, question);
    audit?.record(recordOf(consent, question, answer.accept));
    if (answer.accept) return answer;
    throw new PatchbayError("CONSENT_REFUSED", `${consent.displayName} was not installed: you declined.`);
  });
}

function kindOf(accept: boolean): string {
  return accept ? "consent.given" : "consent.refused";
}

function recordOf(consent: Consent, question: ConsentQuestion, accept: boolean) {
  const { manifestKey: pluginKey, packageName, packageVersion, replaces } = consent;
  return {
    kind: kindOf(accept),
    pluginKey,
    question,
    packageName,
    packageVersion,
    ...(replaces !== undefined && { replaces }),
  };
}

/** @throws PatchbayError TRUST_REFUSED */
function assertRiskTaken(consent: Consent, taken: boolean): void {
  if (consent.risk !== undefined && !taken) throw new PatchbayError("TRUST_REFUSED", consent.risk);
}
