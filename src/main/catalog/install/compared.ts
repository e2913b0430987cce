import { type Grants, growthInWords, PatchbayError, type Plugin } from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";
import { namedSecrets } from "../consent/consent.ts";
import { offeredBeyond } from "../consent/growth.ts";
import { proposedGrants } from "../consent/proposed-grants.ts";
import { type Tried, triedInWords } from "../consent/tried.ts";
import { ownKeyOf } from "./claims.ts";
import type { Candidate } from "./installed-row.ts";

interface Compared {
  /** What the code offers. */
  offered: Inspection;
  /** What the person granted of what was shown. */
  grants: Grants | undefined;
  /** What the code tried and did not get while it was looked at. */
  tried: readonly Tried[];
}

/**
 * Compares what the code of a package offers with what was shown of it. Less is fine: then the same candidate, because
 * what was shown is what was agreed to. More makes another candidate, whose consent names what is more.
 * @throws PatchbayError MANIFEST_CHANGED when the code calls itself another plugin
 */
export function comparedWith(
  shown: Candidate,
  { offered, grants, tried }: Compared,
  plugins: readonly Plugin[],
): Candidate {
  const { inspection, consent } = shown;
  if (ownKeyOf(offered) !== ownKeyOf(inspection)) {
    throw new PatchbayError(
      "MANIFEST_CHANGED",
      `The package says that it is “${ownKeyOf(inspection)}”, but its code calls itself “${ownKeyOf(offered)}”.`,
      { help: "Its author must correct it; nothing was installed." },
    );
  }
  const grown = offeredBeyond(inspection, offered);
  if (grown.length === 0) return shown;
  return {
    ...shown,
    inspection: offered,
    consent: {
      ...consent,
      displayName: offered.displayName,
      description: offered.description,
      capabilities: offered.capabilities,
      asks: offered.consent,
      grants: proposedGrants(offered.consent, { consent: inspection.consent, granted: grants }),
      secrets: namedSecrets(offered, plugins),
      readFrom: "code",
      warnings: [...tried.map(triedInWords), ...offered.warnings],
      tried: [...tried],
      changes: grown.map(growthInWords),
      grown,
    },
  };
}
