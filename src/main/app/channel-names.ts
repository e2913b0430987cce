import type { InstanceState, Plugin } from "../../contract/index.ts";

/** States in which a channel's own process may speak. */
export const liveStates: ReadonlySet<InstanceState> = new Set([
  "starting",
  "running",
  "degraded",
  "stopping",
]);

/** The key of the plugin whose channel has this name: its own key, or the namespace of an older package. */
export function channelNamed(registry: { list(): readonly Plugin[] }, name: string): string {
  const named = registry.list().find((plugin) => plugin.capabilities.channel?.namespace === name);
  return named?.manifestKey ?? name;
}
