import type { Plugin } from "../../../contract/index.ts";
import { folderOf } from "../../runtimes/artifact.ts";
import type { IntegrityCheck } from "../integrity.ts";
import type { JobRun, Step } from "../job-run.ts";
import type { PluginFolders } from "../plugin-folders.ts";
import type { Seal } from "../sources/seal.ts";
import { hashTree } from "../tree.ts";
import type { Candidate } from "./installed-row.ts";

export interface Placing extends Pick<Candidate, "pack" | "inspection" | "runtime"> {
  /** What its files were when the person was asked. */
  seal: Seal;
  /** The plugin that is installed under this key now, if any. */
  installed: Plugin | undefined;
  allowScripts: boolean;
}

export interface Placed {
  dir: string;
  treeHash: string;
  /** False when exactly these files were installed already; the installed ones are then used. */
  isNew: boolean;
  /** The scripts that did not run, because they were not allowed. */
  skipped: string[];
}

/**
 * Moves a package to its final place and builds it there, because a build may write its own path into files, and the
 * path must not change after that. When a step fails, the place is emptied again.
 *
 * @throws PatchbayError INTEGRITY_MISMATCH when its files are not those that the person was asked about
 */
export async function placeBuilt(
  { pack, seal, inspection, runtime, installed, allowScripts }: Placing,
  { folders, checkIntegrity }: { folders: PluginFolders; checkIntegrity: IntegrityCheck },
  { signal, log }: Step,
): Promise<Placed> {
  const skipped = allowScripts ? [] : pack.wantScripts.map((name) => `scripts of ${name}`);
  const standing = async (treeHash: string): Promise<Placed | null> => {
    if (installed?.source.treeHash !== treeHash || (await checkIntegrity(installed)) !== null) return null;
    log("The same files are installed already");
    return { dir: folderOf(installed.artifact), treeHash, isNew: false, skipped };
  };
  const from = folderOf(pack.artifact);
  const sourceHash = await hashTree(from, { signal });
  seal.assertFits(sourceHash);
  const untouched = runtime.prepare ? null : await standing(sourceHash);
  if (untouched) return untouched;
  const version = inspection.packageVersion.replace(/[^A-Za-z0-9.+-]/g, "_");
  const dir = await folders.place(from, inspection.manifestKey, version, sourceHash, signal);
  try {
    const key = inspection.manifestKey;
    await runtime.prepare?.(dir, { key, allowScripts, signal, log, skipped: (name) => skipped.push(name) });
    const treeHash = await hashTree(dir, { signal, outside: true });
    const same = await standing(treeHash);
    if (same) await folders.remove(dir);
    else if (treeHash !== sourceHash) await folders.keep(dir, signal);
    return same ?? { dir, treeHash, isNew: true, skipped };
  } catch (error) {
    await folders.remove(dir);
    throw error;
  }
}

/**
 * Prepares a linked folder where it lies; does nothing for an endpoint, which has no files. Resolves with the scripts that
 * did not run.
 */
export async function prepareInPlace(
  run: JobRun,
  candidate: Pick<Candidate, "runtime" | "pack" | "inspection">,
  allowScripts: boolean,
): Promise<string[]> {
  const { runtime, pack, inspection } = candidate;
  const { artifact } = pack;
  const key = inspection.manifestKey;
  const skipped: string[] = [];
  if (artifact.kind === "endpoint" || !runtime.prepare) run.skip("place");
  else {
    await run.phase("place", async ({ signal, log }) => {
      const options = { key, allowScripts, signal, log, skipped: (name: string) => skipped.push(name) };
      await runtime.prepare?.(artifact.dir, options);
    });
  }
  return skipped;
}
