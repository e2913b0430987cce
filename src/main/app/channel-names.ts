import type { AgentPluginRow, InstanceState, Plugin } from "../../contract/index.ts";
import { ownersField } from "../runtimes/native/manifest/legacy-channel-settings.ts";

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

/** `owner` when the settings of an older channel name this user as one. */
export function roleIn(config: AgentPluginRow["config"] | undefined, userId: string): string | undefined {
  const channel = config?.channel;
  if (typeof channel !== "object" || channel === null || !(ownersField in channel)) return undefined;
  const owners = channel[ownersField as keyof typeof channel] as unknown;
  return Array.isArray(owners) && owners.includes(userId) ? "owner" : undefined;
}
