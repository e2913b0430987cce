import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin, PluginVersion, Problem } from "../../contract/index.ts";
import { PatchbayError, toProblem } from "../../contract/index.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { type HashCache, hashTree } from "./tree.ts";

/** Checks the files of a plugin. Resolves with null when they are those that were installed, else with the problem. */
export type IntegrityCheck = (plugin: Plugin) => Promise<Problem | null>;

export interface IntegrityOptions {
  /** The folder below which Patchbay places plugins. A copied plugin that lies elsewhere is refused. */
  plugins?: string;
  clock?: Clock;
}

/** Milliseconds after which every byte of a plugin is read again, however untouched its files look. */
const FULL_AFTER_MS = 6 * 60 * 60 * 1_000;

/**
 * Makes the check that runs at each load. The first check of a version reads every file; it remembers the hash of each
 * with its size, times, inode and mode, so that the next ones look at metadata alone, until the hashes are six hours
 * old. A linked folder belongs to the person: only that it is there is checked.
 */
export function createIntegrityCheck(options: IntegrityOptions = {}): IntegrityCheck {
  const clock = options.clock ?? systemClock;
  const known = new Map<string, { cache: HashCache; since: number }>();
  const remembered = (dir: string) => {
    let entry = known.get(dir);
    if (!entry || clock.ticks() - entry.since > FULL_AFTER_MS) {
      entry = { cache: new Map(), since: clock.ticks() };
      known.set(dir, entry);
    }
    return { cache: entry.cache, now: () => clock.now() };
  };
  return (plugin) => checkVersion(plugin, plugin.displayName, options.plugins, remembered);
}

type Memory = (dir: string) => { cache: HashCache; now(): number };

async function checkVersion(
  version: PluginVersion,
  name: string,
  plugins: string | undefined,
  remembered: Memory,
): Promise<Problem | null> {
  const { artifact, source } = version;
  if (artifact.kind === "endpoint") return null;
  const { dir } = artifact;
  try {
    if (!isFolder(dir)) return missing(name, version, dir);
    if (source.kind === "link") return null;
    if (source.treeHash === null) return changed(name, version, dir, "Nothing says what its files were.");
    const elsewhere = plugins === undefined ? null : liesElsewhere(dir, plugins);
    if (elsewhere !== null) return changed(name, version, dir, elsewhere);
    const found = await hashTree(dir, { remembered: remembered(dir), outside: true });
    return found === source.treeHash ? null : changed(name, version, dir);
  } catch (error) {
    if (error instanceof PatchbayError) return changed(name, version, dir, error.message);
    return toProblem(error, "PLUGIN_FILES_CHANGED");
  }
}

/**
 * Why a folder is not the place `<plugins>/<key>/<version>-<hash>` that its path names: it lies elsewhere, or a part of
 * the path below the plugins is a link. Null when it is. Links above are the person's own business.
 *
 * It waits for the disk: that takes microseconds, and a detour over another thread, for which every start of a plugin
 * would wait, many times as long.
 */
function liesElsewhere(dir: string, plugins: string): string | null {
  const wanted = join(realPathOf(plugins) ?? plugins, basename(dirname(dir)), basename(dir));
  const real = realpathSync.native(dir);
  return real === wanted ? null : `Its folder leads to ${real}.`;
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isFolder(dir: string): boolean {
  try {
    return statSync(dir).isDirectory();
  } catch {
    return false;
  }
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
