import { useShallow } from "zustand/react/shallow";
import type { AgentPluginState } from "../../contract/agent-plugin.ts";
import type { PluginView } from "../../contract/plugin.ts";
import { type Mirror, rowId, useMirror } from "../store/mirror.ts";

/** A plugin as one agent sees it: installed, kept after an uninstall, or both. */
export interface Row {
  agentId: string;
  key: string;
  plugin: PluginView | null;
  /** Null when this agent never had anything to do with the plugin. */
  view: AgentPluginState | null;
}

/** The plugin keys that an agent's list shows: everything installed, then what is kept without its plugin. */
export function rowKeys(state: Mirror, agentId: string): string[] {
  const keys = [...state.plugins.keys()];
  for (const view of state.agentPlugins.values())
    if (view.agentId === agentId && !state.plugins.has(view.pluginKey)) keys.push(view.pluginKey);
  return keys;
}

export function rowOf(state: Mirror, agentId: string, key: string): Row {
  return {
    agentId,
    key,
    plugin: state.plugins.get(key) ?? null,
    view: state.agentPlugins.get(rowId(agentId, key)) ?? null,
  };
}

/** One row; drawn again only when this very row changes. */
export function useRow(agentId: string, key: string): Row {
  return useMirror(useShallow((state) => rowOf(state, agentId, key)));
}

export function displayName(row: Row): string {
  return row.plugin?.displayName ?? row.view?.gone?.displayName ?? row.key;
}

export function useDisplayName(key: string | null): string | null {
  return useMirror((state) => (key === null ? null : (state.plugins.get(key)?.displayName ?? key)));
}
