import semver from "semver";
import type { Plugin } from "../../contract/index.ts";
import { parseSpec } from "./spec.ts";

/**
 * The spec to fetch for an update: the one that the person installed with. Only an exact npm version is replaced by the
 * newest version, because the same one again would be no update.
 */
export function updateSpec(plugin: Plugin): string {
  const spec = plugin.source.spec;
  if (plugin.source.kind !== "npm") return spec;
  const parsed = parseSpec(spec);
  if (parsed.kind !== "npm" || !semver.valid(parsed.range)) return spec;
  return `${parsed.name}@latest`;
}
