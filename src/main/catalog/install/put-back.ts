import {
  type InstallRequest,
  installRequestSchema,
  PatchbayError,
  type Plugin,
  pluginSchema,
} from "../../../contract/index.ts";
import { checkTaken } from "../../registry/check-taken.ts";
import type { IntegrityCheck } from "../integrity.ts";
import type { CatalogServices } from "../services.ts";
import { foldersOf } from "./uninstall.ts";

type PutBackNeeds = Pick<CatalogServices, "registry" | "gone" | "audit"> & { checkIntegrity: IntegrityCheck };

/**
 * Makes an uninstalled plugin the installed one of its key again: the same version with the same files, to which the
 * person agreed when they installed it.
 *
 * @returns false when it has to be installed anew: its files are gone or others, or its scripts have to run again
 * @throws PatchbayError KEY_TAKEN, NAMESPACE_TAKEN when another plugin has its names or its settings by now;
 * PLUGIN_FILES_CHANGED when it came as a file that nobody has any more
 */
export async function putBack(plugin: Plugin, needs: PutBackNeeds): Promise<boolean> {
  const { registry, gone, audit, checkIntegrity } = needs;
  const key = plugin.manifestKey;
  checkTaken(plugin, registry.list(), false);
  const left = gone?.leftFor(plugin);
  if (left) {
    throw new PatchbayError(
      "KEY_TAKEN",
      `What agents have under the key “${key}” belongs to ${left.packageName}, which was removed after ${plugin.displayName}.`,
      {
        help: "Delete that one for good first, if you want this one back.",
        details: { key, package: plugin.packageName, takenBy: left.packageName },
      },
    );
  }
  const isAgain = !plugin.source.uploaded && plugin.source.kind !== "link";
  // Its scripts ran when it was installed, and may have taken back what they did when it went.
  if (plugin.scriptsAllowed && isAgain) return false;
  const problem = await checkIntegrity(plugin);
  if (problem && isAgain) return false;
  if (problem) throw new PatchbayError(problem.code, problem.message, problem);
  await registry.put(plugin);
  audit?.record({ kind: "plugin.restored", pluginKey: key, source: plugin.source });
  return true;
}

/** What is asked for to install the same version of a plugin again, from where it came. */
export function requestFor({ source, manifestKey, declaration }: Plugin): InstallRequest {
  const { kind, spec, resolved, registry, integrity } = source;
  return installRequestSchema.parse({
    spec: (kind === "npm" || kind === "git") && resolved ? resolved : spec,
    ...(kind === "npm" && registry !== undefined && { registry }),
    ...(kind === "npm" && integrity !== null && { expectedIntegrity: integrity }),
    ...(declaration.ownKey !== undefined && { key: manifestKey }),
  });
}

/**
 * The folders that must stay: of what is installed, of rows that somebody else changed, and of what was uninstalled and
 * is kept. Null: it is not known which ones these are.
 */
export function foldersInUse({
  registry,
  setAside,
  removed,
}: Pick<CatalogServices, "registry" | "setAside" | "removed">): string[] | null {
  const changed = (setAside?.list() ?? []).flatMap(({ collection, value }) => {
    const row = collection === "plugins" ? pluginSchema.safeParse(value) : undefined;
    return row?.success ? [row.data] : [];
  });
  const kept = removed ? removed.plugins() : [];
  return kept && foldersOf([...registry.list(), ...changed, ...kept]);
}
