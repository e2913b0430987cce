import semver from "semver";
import { type InstallRequest, PatchbayError, type Plugin } from "../../contract/index.ts";
import type { IntegrityCheck } from "./integrity.ts";
import { parseSpec } from "./spec/spec.ts";

/**
 * The spec to fetch for an update: the one that the person installed with. Only an exact version of npm or of a server
 * of a registry is replaced by the newest one, because the same one again would be no update.
 * @throws PatchbayError UPDATE_NEEDS_FILE
 */
export function updateSpec(plugin: Plugin): string {
  const { spec, uploaded } = plugin.source;
  if (uploaded) {
    const name = plugin.displayName;
    const message = `${name} came as the file ${spec}, so there is no place to look for a newer one.`;
    throw new PatchbayError("UPDATE_NEEDS_FILE", message, { details: { name, file: spec } });
  }
  const parsed =
    plugin.source.kind === "npm" || plugin.source.kind === "mcp-registry" ? parseSpec(spec) : null;
  if (parsed?.kind === "npm" && semver.valid(parsed.range))
    return `${parsed.isServer ? "mcp:npm/" : ""}${parsed.name}@latest`;
  // Versions of servers are any texts, so that each one that is named is an exact one.
  if (parsed?.kind === "mcp-registry")
    return `mcp-registry:${parsed.name}${parsed.way === undefined ? "" : `#${parsed.way}`}`;
  return spec;
}

/**
 * Whether an update has found what is installed: the same files from the same kind of source. It is none when the
 * installed files are damaged, when scripts may run now that did not run before, or when the person can be asked about those.
 * @param cameAs what tells the files that were fetched, or lie in place, from others; null: nothing does
 */
export async function isUpToDate(
  installed: Plugin,
  { kind, cameAs }: { kind: Plugin["source"]["kind"]; cameAs: string | null },
  { yes, allowScripts }: Pick<InstallRequest, "yes" | "allowScripts">,
  checkIntegrity: IntegrityCheck,
): Promise<boolean> {
  const { source, scriptsAllowed } = installed;
  if (cameAs === null || source.kind !== kind || (source.filesHash ?? source.treeHash) !== cameAs)
    return false;
  // Rows from before this was kept do not say which scripts did not run.
  const mayLackScripts = installed.skippedScripts !== undefined || source.filesHash === undefined;
  if (allowScripts && !scriptsAllowed && mayLackScripts) return false;
  if (!yes && installed.skippedScripts !== undefined) return false;
  return (await checkIntegrity(installed)) === null;
}
