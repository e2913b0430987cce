import { isDeepStrictEqual } from "node:util";
import {
  type Artifact,
  type Inherit,
  PatchbayError,
  type Plugin,
  type PluginVersion,
  pluginVersionSchema,
  toProblem,
} from "../../../contract/index.ts";
import { isAnotherPackage } from "../../registry/another-package.ts";
import { ownFolder } from "../own-folder.ts";
import type { PluginFolders } from "../plugin-folders.ts";
import type { CatalogServices } from "../services.ts";

/** How many older versions are kept for a roll-back. */
const mostKept = 2;

interface SwitchDependencies extends CatalogServices {
  folders: PluginFolders;
}

/**
 * Makes `plugin` the installed version of its key. When it replaces another, it must first start for every agent that
 * uses it; else the old one stays. Another package under the key starts off, with what it may `inherit`. `taken.risk`: the risk that the person accepted. Versions that are kept no longer are removed from disk.
 * @throws PatchbayError UPDATE_ROLLED_BACK with the reason in its message.
 */
export async function switchTo(
  plugin: Plugin,
  replaces: Plugin | undefined,
  deps: SwitchDependencies,
  log: (text: string) => void,
  taken: { inherit?: Inherit; risk?: string | undefined } = {},
): Promise<void> {
  if (replaces && isAnotherPackage(replaces, plugin)) await giveWay(replaces, plugin, deps, log);
  else if (replaces) await tryOut(plugin, replaces, deps, log);
  await record(plugin, replaces, deps);
  await deps.gone?.takeOver(plugin, taken.inherit);
  await deps.pasted
    ?.keep(plugin)
    .catch((error) => log(`What was pasted is known until Patchbay ends: ${toProblem(error).message}`));
  log(`${plugin.displayName} ${plugin.packageVersion} is installed`);
  deps.audit?.record({
    kind: replaces ? "plugin.updated" : "plugin.installed",
    pluginKey: plugin.manifestKey,
    packageName: plugin.packageName,
    packageVersion: plugin.packageVersion,
    source: plugin.source,
    trust: plugin.trust,
    risk: taken.risk ?? null,
    scripts: plugin.scriptsAllowed ? plugin.consent.scripts : [],
    ...(replaces && { replaces: replaces.packageVersion }),
  });
  await removeOthers(plugin, replaces, deps, log);
}

/** Stops a plugin whose key another package takes; its rows say from now on whose they were. */
async function giveWay(
  old: Plugin,
  plugin: Plugin,
  deps: SwitchDependencies,
  log: (text: string) => void,
): Promise<void> {
  log(`${plugin.packageName} is another package than ${old.packageName}: it starts off for all agents`);
  await deps.pool.stopPlugin(old.manifestKey);
  await deps.gone?.keep(old);
}

/** Writes the row of the new version. When that fails, the old version is started again. */
async function record(plugin: Plugin, replaces: Plugin | undefined, deps: SwitchDependencies): Promise<void> {
  try {
    await deps.registry.put(plugin);
  } catch (error) {
    if (replaces) await deps.pool.trial(replaces).catch(() => {});
    throw error;
  }
}

/**
 * Removes the folders of versions that are no longer kept. One that cannot be removed now is removed at the next start,
 * because no row refers to it.
 */
async function removeOthers(
  plugin: Plugin,
  replaces: Plugin | undefined,
  deps: SwitchDependencies,
  log: (text: string) => void,
): Promise<void> {
  const kept = new Set([plugin, ...plugin.previous].map(ownFolder));
  for (const version of replaces ? [versionOf(replaces), ...replaces.previous] : []) {
    const dir = ownFolder(version);
    if (dir === null || kept.has(dir)) continue;
    try {
      await deps.folders.remove(dir);
    } catch (error) {
      log(`The files of ${version.packageVersion} could not be removed yet: ${toProblem(error).message}`);
    }
  }
}

export function versionOf(plugin: Plugin): PluginVersion {
  return pluginVersionSchema.parse(plugin);
}

/** The versions to keep, newest first: without the current one, and only those whose folder Patchbay made. */
export function keptVersions(
  candidates: readonly PluginVersion[],
  current: { artifact: Artifact; treeHash: string | null; integrity: string | null },
): PluginVersion[] {
  return (
    candidates
      .filter((version) => ownFolder(version) !== null)
      .filter((version) => !isDeepStrictEqual(version.artifact, current.artifact))
      .filter((version) => version.source.treeHash !== current.treeHash)
      // The same package, whose scripts have changed its files.
      .filter(({ source }) => source.integrity === null || source.integrity !== current.integrity)
      .slice(0, mostKept)
  );
}

async function tryOut(
  plugin: Plugin,
  replaces: Plugin,
  deps: SwitchDependencies,
  log: (text: string) => void,
): Promise<void> {
  log(`Starting ${plugin.packageVersion} for the agents that use it`);
  try {
    await deps.pool.trial(plugin);
  } catch (error) {
    const reason = toProblem(error, "START_FAILED");
    throw new PatchbayError(
      "UPDATE_ROLLED_BACK",
      `${plugin.displayName} ${plugin.packageVersion} did not start, so ${replaces.packageVersion} is kept. ${reason.message}`,
      { details: { reason }, cause: error },
    );
  }
}
