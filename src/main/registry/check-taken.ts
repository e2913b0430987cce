import { PatchbayError, type Plugin } from "../../contract/index.ts";
import type { Inspection } from "../runtimes/runtime.ts";

/**
 * Refuses a package whose key, tool namespace or channel name belongs to another installed package.
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
        help: `Install ${packageName} under another key (\`--key <name>\`), or uninstall ${sameKey.displayName} first.`,
        details: { key: manifestKey, package: packageName, takenBy: sameKey.packageName },
      },
    );
  }
  checkToolNamespace(claim, installed);
  checkChannelName(claim, installed);
}

type Claim = Parameters<typeof checkTaken>[0];

function checkToolNamespace(
  { manifestKey, packageName, capabilities }: Claim,
  installed: readonly Plugin[],
): void {
  const namespace = capabilities.tools?.namespace;
  if (namespace === undefined) return;
  const sameNamespace = installed.find(
    (plugin) => plugin.manifestKey !== manifestKey && plugin.capabilities.tools?.namespace === namespace,
  );
  if (sameNamespace) throw taken("tool namespace", namespace, packageName, sameNamespace);
}

/**
 * Conversations and webhooks belong to a channel by its name, so no two channels may share one. The name is the
 * plugin's key, or the namespace that an older package declares.
 */
function checkChannelName(
  { manifestKey, packageName, capabilities }: Claim,
  installed: readonly Plugin[],
): void {
  if (!capabilities.channel) return;
  const names = [manifestKey, capabilities.channel.namespace];
  for (const plugin of installed) {
    if (plugin.manifestKey === manifestKey || !plugin.capabilities.channel) continue;
    const same = [plugin.manifestKey, plugin.capabilities.channel.namespace].find(
      (name) => name !== undefined && names.includes(name),
    );
    if (same !== undefined) throw taken("channel namespace", same, packageName, plugin);
  }
}

function taken(what: string, namespace: string, packageName: string, by: Plugin): PatchbayError {
  return new PatchbayError(
    "NAMESPACE_TAKEN",
    `The package ${packageName} wants the ${what} "${namespace}", which belongs to ${by.displayName} (package ${by.packageName}).`,
    {
      help: `Install ${packageName} under another key (\`--key <name>\`), after which its names are made, or uninstall ${by.displayName} first.`,
      details: { namespace, package: packageName, takenBy: by.manifestKey },
    },
  );
}
