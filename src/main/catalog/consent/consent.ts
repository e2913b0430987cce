import {
  type Consent,
  growthInWords,
  type Plugin,
  type PluginSource,
  type Trust,
} from "../../../contract/index.ts";
import { isAnotherPackage } from "../../registry/another-package.ts";
import type { Inspection, Risk } from "../../runtimes/runtime.ts";
import { whatGrew } from "./growth.ts";
import { proposedGrants } from "./proposed-grants.ts";
import { type Tried, triedInWords } from "./tried.ts";

export interface ConsentFacts {
  inspection: Inspection;
  enforcement: string;
  trust: Trust;
  /** A reason against installing it, which the person may accept; null when there is none. */
  risk?: Risk | null;
  source: PluginSource;
  publisher: string | undefined;
  hasScripts: boolean;
  installed: Plugin | undefined;
  readFrom: Consent["readFrom"];
  /** What its code tried and did not get while it was looked at. */
  tried: readonly Tried[];
  /** All installed plugins: those of other packages may name the same secrets. */
  plugins: readonly Plugin[];
}

/**
 * Makes the question of consent: what the plugin asks for, and for an update what is new.
 * @param inheritance what another package under the same key left behind
 */
export function consentFor(facts: ConsentFacts, inheritance: Consent["inheritance"]): Consent {
  const { inspection, installed } = facts;
  const { packageName } = inspection;
  const isOther =
    installed !== undefined && isAnotherPackage(installed, { packageName, source: facts.source });
  const grown = installed ? whatGrew(installed, inspection, facts.source) : [];
  const publisher = facts.publisher ?? inspection.declaration.publisher;
  const secrets = namedSecrets(inspection, facts.plugins);
  const { homepage, about: { screenshots: _pictures, ...about } = {} } = inspection.declaration;
  const texts = [inspection.description, about.longDescription ?? [], secrets.map(({ label }) => label)];
  const words = wordsOf(inspection, texts.flat());
  return {
    packageName,
    packageVersion: inspection.packageVersion,
    manifestKey: inspection.manifestKey,
    displayName: inspection.displayName,
    description: inspection.description,
    runtime: inspection.runtime,
    trust: facts.trust,
    ...(publisher && { publisher }),
    source: facts.source,
    capabilities: inspection.capabilities,
    asks: inspection.consent,
    grants: proposedGrants(inspection.consent, isOther ? undefined : installed),
    readFrom: facts.readFrom,
    secrets,
    inheritance,
    hasScripts: facts.hasScripts,
    ...(words && { words }),
    ...(homepage && { homepage }),
    ...(Object.keys(about).length > 0 && { about }),
    ...(facts.risk && { risk: facts.risk.sentence, riskOf: [...facts.risk.wants] }),
    enforcement: facts.enforcement,
    warnings: [...facts.tried.map(triedInWords), ...inspection.warnings],
    tried: [...facts.tried],
    changes: grown.map(growthInWords),
    grown,
    ...(installed && { replaces: installed.packageVersion }),
    ...(installed && isOther && { takesPlaceOf: namesOf(installed) }),
  };
}

function namesOf({ displayName, packageName }: Plugin): NonNullable<Consent["takesPlaceOf"]> {
  return { displayName, packageName };
}

/** What the plugin brings of these texts in further languages; undefined: nothing. */
function wordsOf({ declaration }: Inspection, texts: readonly string[]): Consent["words"] {
  const languages = Object.entries(declaration.words ?? {}).map(([language, translation]) => {
    const said = texts.flatMap((text) => {
      const found = Object.hasOwn(translation, text) ? translation[text] : undefined;
      return found === undefined ? [] : [[text, found] as const];
    });
    return [language, Object.fromEntries(said)] as const;
  });
  return languages.length === 0 ? undefined : Object.fromEntries(languages);
}

/** The secrets that the plugin names, each with the plugins of other packages that name the same one. */
export function namedSecrets(
  { manifestKey, declaration }: Inspection,
  plugins: readonly Plugin[],
): Consent["secrets"] {
  return declaration.secretKeys.map(({ key, label, optional, sentOnlyTo }) => ({
    key,
    label,
    optional: optional ?? false,
    ...(sentOnlyTo && { sentOnlyTo }),
    alsoNamedBy: plugins
      .filter((plugin) => plugin.manifestKey !== manifestKey)
      .filter((plugin) => plugin.declaration.secretKeys.some((secret) => secret.key === key))
      .map((plugin) => plugin.displayName),
  }));
}
