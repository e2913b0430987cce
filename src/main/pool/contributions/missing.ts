import type { Plugin } from "../../../contract/index.ts";

/**
 * How likely it is that a missing tool belongs to a plugin, as a number to be compared. Highest when the plugin offered
 * a tool of that name when it ran last; else the length of its namespace when the name begins with that; 0 when neither
 * is so.
 */
export function likeness(
  tool: string,
  { capabilities }: Pick<Plugin, "capabilities">,
  lastOffered: ReadonlySet<string> | undefined,
): number {
  if (lastOffered?.has(tool)) return Number.POSITIVE_INFINITY;
  const namespace = capabilities.tools?.namespace;
  return namespace && tool.startsWith(`${namespace}__`) ? namespace.length : 0;
}
