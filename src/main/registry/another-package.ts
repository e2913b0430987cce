import type { GonePlugin, Plugin, PluginSource } from "../../contract/index.ts";

/** Where a package is from, as far as it tells one package from another. */
export interface Origin {
  packageName?: string | undefined;
  source: Pick<PluginSource, "kind" | "spec" | "resolved" | "registry">;
}

/**
 * Whether two packages that had the same plugin key, one after the other, are different ones: another name, another
 * kind of source, or another registry, repository or address. Such a package does not get what the first one had.
 */
export function isAnotherPackage(before: Origin, now: Origin): boolean {
  if (before.source.kind !== now.source.kind) return true;
  if (before.packageName !== undefined && before.packageName !== now.packageName) return true;
  switch (now.source.kind) {
    case "npm":
      return before.source.registry !== now.source.registry;
    case "git":
      return repositoryOf(before.source) !== repositoryOf(now.source);
    case "mcp-registry":
    case "mcp-import":
      return before.packageName !== now.packageName;
    case "endpoint":
      return before.source.spec !== now.source.spec;
    case "tarball":
    case "folder":
    case "link":
    case "builtin":
      // A row of an older Patchbay does not name the package; then only the same place counts as the same package.
      return before.packageName === undefined && before.source.spec !== now.source.spec;
  }
}

/** Whether a row was made for another package than the one that is installed under its key now. */
export function isOfAnother(row: { gone?: GonePlugin | undefined }, plugin: Plugin): boolean {
  return row.gone !== undefined && isAnotherPackage(row.gone, plugin);
}

/** What a row keeps of its plugin when that goes. */
export function goneOf({
  displayName,
  packageName,
  packageVersion,
  capabilities,
  source,
}: Plugin): GonePlugin {
  const { kind, spec, uploaded, registry, resolved } = source;
  const namespace = capabilities.tools?.namespace;
  return {
    displayName,
    packageName,
    packageVersion,
    ...(namespace !== undefined && { namespace }),
    source: {
      kind,
      spec,
      ...(uploaded && { uploaded }),
      ...(registry !== undefined && { registry }),
      ...(resolved && { resolved }),
    },
  };
}

/** The repository's address without the commit, which differs for each version. */
function repositoryOf(source: Origin["source"]): string {
  return (source.resolved ?? source.spec).replace(/#.*$/, "").replace(/\.git$/, "");
}
