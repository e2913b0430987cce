import semver from "semver";
import type { PackageFacts } from "./manifest/manifest-facts.ts";

/** What plugins run with. */
interface Versions {
  node: string;
  patchbay: string;
}

const names = { node: "Node", patchbay: "Patchbay" } as const;

/**
 * A sentence for each of `engines` in the package.json that is not what plugins run with here. It is no refusal: authors
 * often ask for more than they need, and npm installs such a package as well.
 */
export function unmetEngines(
  { engines = {} }: Pick<PackageFacts, "engines">,
  here: Partial<Versions> = {},
): string[] {
  const versions = { node: process.versions.node, ...here };
  return (["node", "patchbay"] as const).flatMap((name) => {
    const wanted = engines[name];
    const version = versions[name];
    if (wanted === undefined || version === undefined) return [];
    if (semver.validRange(wanted) === null) return [];
    if (semver.satisfies(version, wanted, { includePrerelease: true })) return [];
    return [`The package says that it needs ${names[name]} ${wanted}, but here it runs with ${version}.`];
  });
}
