import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin, PluginSource } from "../../../../contract/index.ts";
import { canShow, wallReport } from "../../../platform/walls/start.ts";
import type { Shown } from "../../../platform/walls/wall.ts";
import { folderOf } from "../../artifact.ts";
import { copyOut, layOut } from "./lay-out.ts";
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
}

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
): Promise<OwnFolder> {
  const dir = folderOf(plugin.artifact);
  const asInstalled = { dir, shown: [] };
  const isLinked = plugin.source.kind === "link";
  // A linked folder is the person's own, and is not checked: without walls its programs write where they lie.
  if (!canShow() && (wallReport().stands || isLinked)) return asInstalled;
  const plan = await planOf(dir, data);
  if (plan === null) return asInstalled;
  const home = join(files, "folder", originOf(plugin));
  if (!canShow()) return { dir: await copyOut(dir, home, plan), shown: [] };
  const real = await realpath(dir);
  const shown = await layOut(real, home, plan);
  if (real === dir) return { dir, shown };
  const again = shown.map((one) => ({ ...one, at: join(dir, one.at.slice(real.length)) }));
  return { dir, shown: [...shown, ...again] };
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
      return "";
  }
}
