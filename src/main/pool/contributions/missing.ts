import type { Plugin, Problem } from "../../../contract/index.ts";
import type { PoolOptions } from "../ports.ts";

/**
 * How likely it is that a missing tool belongs to a plugin, as a number to be compared. Highest when the plugin offered
 * a tool of that name when it ran last; else the length of its namespace when the name begins with that; 0 when neither
 * is so.
 */
function likeness(
  tool: string,
  { capabilities }: Pick<Plugin, "capabilities">,
  lastOffered: ReadonlySet<string> | undefined,
): number {
  if (lastOffered?.has(tool)) return Number.POSITIVE_INFINITY;
  const namespace = capabilities.tools?.namespace;
  return namespace && tool.startsWith(`${namespace}__`) ? namespace.length : 0;
}

/** The plugin that a missing tool probably belongs to, and why it does not run (null: it is switched off). */
export function ownerMissing(
  tool: string,
  { agentPlugins, registry }: Pick<PoolOptions, "agentPlugins" | "registry">,
  agentId: string,
  of: { lastTools(key: string): ReadonlySet<string> | undefined; reason(key: string): Problem | null },
): { plugin: string; problem: Problem | null } | undefined {
  let best: { plugin: string; problem: Problem | null } | undefined;
  let surest = 0;
  for (const { enabled, pluginKey } of agentPlugins.list(agentId)) {
    const plugin = registry.get(pluginKey);
    const sure = plugin ? likeness(tool, plugin, of.lastTools(pluginKey)) : 0;
    if (!plugin || sure <= surest) continue;
    const problem = enabled ? of.reason(pluginKey) : null;
    if (enabled && !problem) continue;
    best = { plugin: plugin.displayName, problem };
    surest = sure;
  }
  return best;
}
