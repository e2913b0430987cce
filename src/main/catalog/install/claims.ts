import { PatchbayError, type SourceKind } from "../../../contract/index.ts";
import type { Inspection } from "../../runtimes/runtime.ts";
import type { InstalledPlugins } from "../services.ts";

/**
 * Refuses a package that would take what belongs to another: the key of a built-in plugin, or a key or tool namespace
 * that is in use. A newer version of the same package is allowed to keep them.
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
