import semver from "semver";
import type { Plugin } from "../../contract/index.ts";
import { parseSpec } from "./spec.ts";

/**
 * What to fetch to bring a plugin up to date: what the person gave when installing it, except that an exact npm
 * version stands for the newest one.
 */
export function updateSpec(plugin: Plugin): string {
  const spec = plugin.source.spec;
  if (plugin.source.kind !== "npm") return spec;
  const parsed = parseSpec(spec);
  if (parsed.kind !== "npm" || !semver.valid(parsed.range)) return spec;
  return `${parsed.name}@latest`;
}
