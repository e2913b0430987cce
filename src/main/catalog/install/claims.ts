import { PatchbayError, type Plugin, type SourceKind } from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";

/** What a package that is about to be installed claims for itself. */
export interface Claim {
  inspection: Inspection;
  source: SourceKind;
}

/**
 * Makes sure that a package takes nothing that belongs to another: its key, its tool namespace, or the place of a
 * built-in plugin. A newer version of the same package takes nothing.
 * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN
 */
export function assertNotTaken({ inspection, source }: Claim, installed: readonly Plugin[]): void {
  const { manifestKey, packageName } = inspection;
  const namespace = inspection.capabilities.tools?.namespace;
  for (const plugin of installed) {
    if (plugin.manifestKey === manifestKey) assertSamePackage(plugin, packageName, source);
    else if (namespace !== undefined && plugin.capabilities.tools?.namespace === namespace) {
      throw new PatchbayError(
        "NAMESPACE_TAKEN",
        `The tool namespace “${namespace}” is already used by ${plugin.displayName} (${plugin.manifestKey}).`,
        { details: { namespace, owner: plugin.manifestKey } },
      );
    }
  }
}

function assertSamePackage(owner: Plugin, packageName: string, source: SourceKind): void {
  if (owner.source.kind === "builtin" && source !== "builtin") {
    throw new PatchbayError(
      "KEY_TAKEN",
      `The key “${owner.manifestKey}” belongs to ${owner.displayName}, which comes with Patchbay.`,
      { details: { owner: owner.packageName } },
    );
  }
  if (owner.packageName !== packageName) {
    throw new PatchbayError(
      "KEY_TAKEN",
      `The key “${owner.manifestKey}” is already used by ${owner.displayName} (${owner.packageName}).`,
      { details: { owner: owner.packageName, claimedBy: packageName } },
    );
  }
}
