import { stat } from "node:fs/promises";
import type { Plugin, PluginVersion, Problem } from "../../contract/index.ts";
import { PatchbayError, toProblem } from "../../contract/index.ts";
import { type HashCache, hashTree } from "./tree.ts";

/** Checks the files of a plugin. Resolves with null when they are those that were installed, else with the problem. */
export type IntegrityCheck = (plugin: Plugin) => Promise<Problem | null>;

/**
 * Makes the check that runs at each load. It remembers the hash of every file with its size, time and inode, so that a
 * second check of an untouched plugin only looks at metadata.
 */
export function createIntegrityCheck(): IntegrityCheck {
  const cache: HashCache = new Map();
  return (plugin) => checkVersion(plugin, plugin.displayName, cache);
}

async function checkVersion(version: PluginVersion, name: string, cache: HashCache): Promise<Problem | null> {
  const { artifact } = version;
  if (artifact.kind === "endpoint") return null;
  try {
    if (!(await isFolder(artifact.dir))) return missing(name, version, artifact.dir);
    if (version.source.treeHash === null) return null;
    const found = await hashTree(artifact.dir, { cache, outside: true });
    return found === version.source.treeHash ? null : changed(name, version, artifact.dir);
  } catch (error) {
    if (error instanceof PatchbayError) return changed(name, version, artifact.dir, error.message);
    return toProblem(error, "PLUGIN_FILES_CHANGED");
  }
}

async function isFolder(dir: string): Promise<boolean> {
  return stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function missing(name: string, version: PluginVersion, dir: string): Problem {
  const linked = version.source.kind === "link";
  return new PatchbayError(
    "PLUGIN_FILES_CHANGED",
    linked
      ? `The folder that ${name} is linked to is gone: ${dir}.`
      : `The files of ${name} ${version.packageVersion} are gone.`,
    {
      help: linked ? "Put the folder back, or uninstall the plugin." : "Install the plugin again.",
      details: { dir },
    },
  ).toProblem();
}

function changed(name: string, version: PluginVersion, dir: string, reason?: string): Problem {
  return new PatchbayError(
    "PLUGIN_FILES_CHANGED",
    `The files of ${name} ${version.packageVersion} are not those that were installed.`,
    { details: { dir, ...(reason && { reason }) } },
  ).toProblem();
}
