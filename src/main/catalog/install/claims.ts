import { PatchbayError, type SourceKind } from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";
import type { InstalledPlugins } from "../services.ts";

/**
 * Makes sure that a package takes nothing that belongs to another: the place of a built-in plugin, a key, a tool
 * namespace. A newer version of the same package takes nothing.
 * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN
 */
export function assertNotTaken(inspection: Inspection, source: SourceKind, registry: InstalledPlugins): void {
  const owner = registry.get(inspection.manifestKey);
  if (owner?.source.kind === "builtin" && source !== "builtin") {
    throw new PatchbayError(
      "KEY_TAKEN",
      `The plugin key “${owner.manifestKey}” belongs to ${owner.displayName}, which comes with Patchbay.`,
      { details: { key: owner.manifestKey, takenBy: owner.packageName } },
    );
  }
  registry.checkTaken(inspection);
}
