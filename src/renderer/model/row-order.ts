import type { AgentPluginState } from "../../contract/agent-plugin.ts";
import type { PluginView } from "../../contract/plugin.ts";
import { compareNames } from "./by-name.ts";
import { groupOf, healthOf } from "./health.ts";
import { displayName, type Row } from "./rows.ts";

/** Plugins that need somebody stand first, the others below them; both by name. */
export function inOrderOfNeed(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, name: displayName(row), rank: needsSomebody(row) ? 0 : 1 }))
    .sort((a, b) => a.rank - b.rank || compareNames(a.name, b.name) || compareNames(a.row.key, b.row.key))
    .map(({ row }) => row);
}

/** Worked out once for each state of a row: the list is put in order with every change of any of them. */
const known = new WeakMap<AgentPluginState, { plugin: PluginView | null; needs: boolean }>();

/** It is in trouble, or goes on with older settings because the newer ones were refused. */
function needsSomebody(row: Row): boolean {
  const { plugin, view } = row;
  if (!plugin || !view) return false;
  const before = known.get(view);
  if (before?.plugin === plugin) return before.needs;
  const needs = groupOf(healthOf(row)) === "needs" || view.refusedSettings !== undefined;
  known.set(view, { plugin, needs });
  return needs;
}
