import { type Consent, PatchbayError, type Plugin, type SourceKind } from "../../../contract/index.ts";
import type { Inspection, PluginRuntime } from "../../runtimes/runtime.ts";
import type { InstalledPlugins } from "../services.ts";

/**
 * Refuses a package that would take what belongs to another: the key of a built-in plugin, or a key or tool namespace
 * that is in use. A newer version of the same package is allowed to keep them.
 * @param replaces whether the person wants it in the place of another package
 * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN
 */
export function assertNotTaken(
  inspection: Inspection,
  source: SourceKind,
  registry: InstalledPlugins,
  replaces: boolean,
): void {
  const owner = registry.get(inspection.manifestKey);
  if (owner?.source.kind === "builtin" && source !== "builtin") {
    throw new PatchbayError(
      "KEY_TAKEN",
      `The plugin key “${owner.manifestKey}” belongs to ${owner.displayName}, which comes with Patchbay.`,
      {
        help: `Install ${inspection.packageName} under another key: \`--key <name>\`.`,
        details: { key: owner.manifestKey, takenBy: owner.packageName },
      },
    );
  }
  registry.checkTaken(inspection, replaces);
}

/** Whether what is installed now under the key is the package that the person gave up. */
export function mayReplace({ takesPlaceOf, replaces }: Consent, installed: Plugin | undefined): boolean {
  return takesPlaceOf?.packageName === installed?.packageName && replaces === installed?.packageVersion;
}

/** Whether the person has let this package run its scripts: another one under the same key is not meant. */
export function scriptsAllowedBefore(
  { manifestKey, takesPlaceOf }: Consent,
  registry: Pick<InstalledPlugins, "get">,
): boolean {
  return takesPlaceOf === undefined && registry.get(manifestKey)?.scriptsAllowed === true;
}

/**
 * The inspection under the key that the person gave the plugin; unchanged when they gave none.
 * @throws PatchbayError BAD_INPUT when plugins of this system cannot have another key
 */
export function named(
  inspection: Inspection,
  runtime: Pick<PluginRuntime, "displayName" | "namedAs">,
  key: string | undefined,
): Inspection {
  if (key === undefined || key === inspection.manifestKey) return inspection;
  if (runtime.namedAs) return runtime.namedAs(inspection, key);
  throw new PatchbayError(
    "BAD_INPUT",
    `Plugins of the system ${runtime.displayName} keep their own key: “${inspection.manifestKey}” cannot be installed as “${key}”.`,
  );
}

/** What the package calls itself, whatever key the person gave it. */
export function ownKeyOf({
  manifestKey,
  declaration,
}: Pick<Inspection, "manifestKey" | "declaration">): string {
  return declaration.ownKey ?? manifestKey;
}

/** What was read of a package again, under the key that it was given before. */
export function namedLike(
  before: Inspection,
  again: Inspection,
  runtime: Pick<PluginRuntime, "displayName" | "namedAs">,
): Inspection {
  const isNamed = before.declaration.ownKey !== undefined;
  return named(again, runtime, isNamed ? before.manifestKey : undefined);
}
