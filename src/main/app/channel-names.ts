import type { InstanceState, Plugin } from "../../contract/index.ts";

/** States in which a channel's own process may speak. */
export const liveStates: ReadonlySet<InstanceState> = new Set([
  "starting",
  "running",
  "degraded",
  "stopping",
]);

/**
 * The key of the plugin that serves the channel of this name. The name is a declared namespace (older packages) or else
 * the plugin's key itself.
 */
export function channelNamed(registry: { list(): readonly Plugin[] }, name: string): string {
  const named = registry.list().find((plugin) => plugin.capabilities.channel?.namespace === name);
  return named?.manifestKey ?? name;
}
