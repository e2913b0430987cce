import { randomUUID } from "node:crypto";
import type { Artifact, Consent, InstallRequest, Plugin, PluginSource } from "../../../contract/index.ts";
import { isAnotherPackage } from "../../registry/another-package.ts";
import type { Inspection, PluginRuntime } from "../../runtimes/runtime.ts";
import type { Agreed } from "../consent/questions.ts";
import type { AcquiredPackage, Acquisition } from "../sources/acquisition.ts";
import { uploadedName, withoutCredentials } from "../spec/spec.ts";
import { keptVersions, versionOf } from "./switch-version.ts";

/** What is known of the package once it has been inspected. */
export interface Candidate {
  pack: AcquiredPackage;
  inspection: Inspection;
  runtime: PluginRuntime;
  source: PluginSource;
  consent: Consent;
}

/** Where the package came from, as its row says it: without passwords. */
export function sourceOf(
  request: InstallRequest,
  acquisition: Acquisition,
  pack: AcquiredPackage,
): PluginSource {
  const uploaded = uploadedName(request.spec);
  return {
    kind: acquisition.kind,
    spec: uploaded ?? withoutCredentials(request.spec),
    ...(uploaded !== null && { uploaded: true as const }),
    ...(pack.resolved && { resolved: withoutCredentials(pack.resolved) }),
    ...(pack.registry && { registry: withoutCredentials(pack.registry) }),
    integrity: pack.integrity,
    treeHash: null,
    ...(pack.vouched && { vouched: pack.vouched }),
    ...(pack.signatureUnchecked && { signatureUnchecked: true as const }),
    installedAt: new Date().toISOString(),
  };
}

/** The files of a package at their place, and what of its scripts did not run there. */
interface PlacedFiles {
  artifact: Artifact;
  treeHash: string | null;
  filesHash?: string | null;
  skipped?: string[];
}

/** The row of the plugin that the package becomes. `installed`: the plugin that it replaces. */
export function rowOf(
  candidate: Candidate,
  { artifact, treeHash, filesHash, skipped = [] }: PlacedFiles,
  { allowScripts, grants }: Pick<Agreed, "allowScripts" | "grants">,
  installed: Plugin | undefined,
): Plugin {
  const { inspection, consent, source } = candidate;
  const now = new Date().toISOString();
  const publisher = consent.publisher;
  const row: Plugin = {
    id: installed?.id ?? randomUUID(),
    packageName: inspection.packageName,
    packageVersion: inspection.packageVersion,
    manifestKey: inspection.manifestKey,
    runtime: inspection.runtime,
    displayName: inspection.displayName,
    description: inspection.description,
    capabilities: inspection.capabilities,
    declaration: { ...inspection.declaration, ...(publisher && { publisher }) },
    consent: inspection.consent,
    ...(grants && { granted: grants }),
    ...(skipped.length > 0 && { skippedScripts: skipped }),
    warnings: inspection.warnings,
    artifact,
    source: { ...source, treeHash, ...(filesHash && { filesHash }) },
    trust: consent.trust,
    scriptsAllowed: allowScripts,
    previous: [],
    createdAt: installed?.createdAt ?? now,
    updatedAt: now,
  };
  // Going back leads to an older version of the same package, never to another that had the key before.
  if (!installed || isAnotherPackage(installed, row)) return row;
  return {
    ...row,
    previous: keptVersions([versionOf(installed), ...installed.previous], {
      artifact,
      treeHash,
      integrity: source.integrity,
    }),
  };
}
