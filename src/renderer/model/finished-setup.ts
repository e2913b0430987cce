import type { AgentPluginState } from "../../contract/agent-plugin.ts";
import { isObject } from "../../contract/is-object.ts";
import type { PluginView } from "../../contract/plugin.ts";

/** The last finished setup, as the row tells it. */
export interface FinishedSetup {
  at: string;
  account: string | null;
  /** The core renews the sign-in and keeps the grant. */
  signedIn: boolean;
}

export function finishedSetup(view: Pick<AgentPluginState, "setupState"> | null): FinishedSetup | null {
  const finished = view?.setupState?.finished;
  if (!isObject(finished) || typeof finished.at !== "string") return null;
  const { at, account, grant } = finished;
  return { at, account: typeof account === "string" ? account : null, signedIn: typeof grant === "string" };
}

/** Whether the plugin has a wizard: a setup of its own, or secrets that it cannot run without. */
export function hasWizard(plugin: PluginView | null): plugin is PluginView {
  if (!plugin) return false;
  const { hasSetup, secretKeys } = plugin.declaration;
  return hasSetup === true || secretKeys.length > 0;
}

/**
 * Whether switching on is not enough: the plugin has a setup of its own, and nobody finished it or entered the settings
 * by hand.
 */
export function needsSetupFirst(plugin: PluginView | null, view: AgentPluginState | null): boolean {
  if (plugin?.declaration.hasSetup !== true || finishedSetup(view)) return false;
  return Object.keys(view?.config ?? {}).length === 0;
}
