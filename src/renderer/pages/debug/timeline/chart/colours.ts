import type { PluginView } from "../../../../../contract/plugin.ts";
import { runtimeColour } from "../../../../ui/patch/colours.ts";
import type { RowGroup, TimelineRow } from "../rows/rows.ts";

const groupColours: Record<Exclude<RowGroup, "hook">, string> = {
  model: "color-mix(in oklab, var(--off) 78%, var(--bg))",
  tool: "var(--fledge)",
  approval: "var(--accent)",
  message: "var(--mute)",
  log: "var(--hint)",
  problem: "var(--bad)",
};

/** A row's colour on the axis: of a hook that of its plugin's cable. */
export function colourOf(row: TimelineRow, plugins: ReadonlyMap<string, PluginView>): string {
  if (row.group !== "hook") return groupColours[row.group];
  const plugin = row.owner === null ? undefined : plugins.get(row.owner);
  return plugin ? runtimeColour(plugin.runtime) : "var(--mute)";
}
