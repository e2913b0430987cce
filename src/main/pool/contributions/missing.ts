import type { Plugin } from "../../../contract/index.ts";

/**
 * How likely a tool that is not there belongs to a plugin: it offered one of that name when it ran last, or the name
 * begins with its namespace, the longer the surer. 0: it does not.
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
