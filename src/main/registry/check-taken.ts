import { PatchbayError, type Plugin } from "../../contract/index.ts";
import type { Inspection } from "../runtimes/runtime.ts";

/**
 * Refuses a package that claims what another installed one has.
 *
 * @param sameKeyAllowed whether the row with the same key may be replaced: true only when it is known to be the same
 * package (an update or a reinstallation)
 * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN, each naming the other plugin
 */
export function checkTaken(
  claim: Pick<Inspection, "manifestKey" | "packageName" | "capabilities">,
  installed: readonly Plugin[],
  sameKeyAllowed: boolean,
): void {
  const { manifestKey, packageName } = claim;
  const sameKey = installed.find((plugin) => plugin.manifestKey === manifestKey);
  if (sameKey && !sameKeyAllowed) {
    throw new PatchbayError(
      "KEY_TAKEN",
      `The package ${packageName} wants the plugin key "${manifestKey}", which belongs to ${sameKey.displayName} (package ${sameKey.packageName}).`,
      {
        help: `Uninstall ${sameKey.displayName} first if you want ${packageName} instead.`,
        details: { key: manifestKey, package: packageName, takenBy: sameKey.packageName },
      },
    );
  }
  const namespace = claim.capabilities.tools?.namespace;
  if (namespace === undefined) return;
  const sameNamespace = installed.find(
    (plugin) => plugin.manifestKey !== manifestKey && plugin.capabilities.tools?.namespace === namespace,
  );
  if (!sameNamespace) return;
  throw new PatchbayError(
    "NAMESPACE_TAKEN",
    `The package ${packageName} wants the tool namespace "${namespace}", which belongs to ${sameNamespace.displayName} (package ${sameNamespace.packageName}).`,
    {
      help: `Uninstall ${sameNamespace.displayName} first, or ask the author of ${packageName} for another namespace.`,
      details: { namespace, package: packageName, takenBy: sameNamespace.manifestKey },
    },
  );
}
