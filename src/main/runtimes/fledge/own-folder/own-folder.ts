import { createHash } from "node:crypto";
import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, PluginSource } from "../../../../contract/index.ts";
import { type Clock, systemClock } from "../../../base/clock.ts";
import { canShow, wallReport } from "../../../platform/walls/start.ts";
import type { Shown } from "../../../platform/walls/wall.ts";
import { folderOf } from "../../artifact.ts";
import { copyOut, layOut, placeInCopy, placeOf, putAside } from "./lay-out.ts";
import { planOf } from "./plan.ts";

/**
 * What the programs of a plugin see as its folder, for one agent: its code as it was installed, which they cannot
 * change, and what they wrote there themselves. The files that Patchbay checks are never written to.
 */
export interface OwnFolder {
  /** Its path, for the programs. */
  readonly dir: string;
  /** What their walls show of it. */
  readonly shown: readonly Shown[];
  /**
   * Puts aside what was added since in the place of checked code. To be called before a program starts.
   *
   * @returns the paths, as the programs see them
   */
  putAside(): Promise<string[]>;
  /** Whether files came, went or were replaced since it was made ready, or may have been. */
  isOutdated(): Promise<boolean>;
}

/** Milliseconds that a file system may take one time for the same as another, with much to spare. */
const SAME_TIME_MS = 2_000;

/**
 * Makes the folder ready. Where walls stand that cannot show one folder in the place of another, and for one with too
 * many files at its top, it is the installed one, and nothing can be made in it.
 *
 * @param files folder of what Patchbay keeps for this agent's plugin
 * @param data paths that the manifest calls data
 * @throws the error of the file system
 */
export async function openOwnFolder(
  plugin: Plugin,
  files: string,
  data: readonly string[],
  clock: Pick<Clock, "now"> = systemClock,
): Promise<OwnFolder> {
  const dir = folderOf(plugin.artifact);
  const isLinked = plugin.source.kind === "link";
  // A linked folder is the person's own, and is not checked: without walls its programs write where they lie.
  if (!canShow() && (wallReport().stands || isLinked)) return asInstalled(dir);
  const begun = clock.now();
  const plan = await planOf(dir, data);
  if (plan === null) return asInstalled(dir, canShow() ? [{ at: dir, from: dir, access: "read" }] : []);
  const home = join(files, "folder", originOf(plugin));
  const place = canShow() ? (folder: string) => placeOf(home, folder) : placeInCopy(home);
  const said = () => putAside(dir, home, plan, place);
  if (!canShow()) {
    const copy = await copyOut(dir, home, plan);
    return { dir: copy, shown: [], putAside: said, isOutdated: async () => true };
  }
  const real = await realpath(dir);
  const shown = await layOut(real, home, plan);
  const again =
    real === dir ? [] : shown.map((one) => ({ ...one, at: join(dir, one.at.slice(real.length)) }));
  const times = await timesOf(dir, plan.open);
  const isOutdated = async () => {
    const now = await timesOf(dir, plan.open);
    return now.text !== times.text || begun - times.latest < SAME_TIME_MS;
  };
  return { dir, shown: [...shown, ...again], putAside: said, isOutdated };
}

/** The folder as it was installed, in which nothing can be made. */
export function asInstalled(dir: string, shown: readonly Shown[] = []): OwnFolder {
  return { dir, shown, putAside: async () => [], isOutdated: async () => true };
}

/** When entries of these folders last came, went or were replaced; not when files were written to. */
async function timesOf(dir: string, folders: readonly string[]): Promise<{ text: string; latest: number }> {
  const found = await Promise.all(folders.map((folder) => stat(join(dir, folder)).catch(() => null)));
  const text = found
    .map((each) => (each ? `${each.dev} ${each.ino} ${each.mtimeMs} ${each.ctimeMs}` : ""))
    .join();
  return { text, latest: Math.max(...found.map((each) => each?.ctimeMs ?? 0)) };
}

/**
 * A name for the package: another one that gets its key does not find what this one wrote, because that would be run
 * with its permissions. The same package of another version does.
 */
function originOf({ packageName, source }: Pick<Plugin, "packageName" | "source">): string {
  const text = JSON.stringify([packageName, source.kind, placeOfOrigin(source)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function placeOfOrigin({ kind, spec, resolved, registry }: PluginSource): string {
  switch (kind) {
    case "npm":
      return registry ?? "";
    case "git":
      return (resolved ?? spec).replace(/#.*$/, "").replace(/\.git$/, "");
    case "endpoint":
      return spec;
    case "tarball":
    case "folder":
    case "link":
    case "builtin":
    case "mcp-registry":
    case "mcp-import":
      return "";
  }
}
