import { useShallow } from "zustand/react/shallow";
import type { Capabilities, RuntimeId } from "../../contract/plugin.ts";
import { useMirror } from "../store/mirror.ts";
import { groupOf, healthOf, type StateGroup } from "./health.ts";
import { inOrderOfNeed } from "./row-order.ts";
import { displayName, rowKeys, rowOf } from "./rows.ts";
import { inOrder } from "./runtimes.ts";

export type CapabilityKind = keyof Capabilities;
export const capabilityKinds: CapabilityKind[] = [
  "channel",
  "tools",
  "hooks",
  "commands",
  "skills",
  "providers",
];

export interface Filter {
  state: StateGroup | null;
  capability: CapabilityKind | null;
  runtime: RuntimeId | null;
  text: string;
}

export const noFilter: Filter = { state: null, capability: null, runtime: null, text: "" };

export interface Counts {
  all: number;
  running: number;
  needs: number;
  off: number;
}

/** How many plugins of an agent are in each state. */
export function useCounts(agentId: string): Counts {
  return useMirror(
    useShallow((state) => {
      const counts: Counts = { all: 0, running: 0, needs: 0, off: 0 };
      for (const key of rowKeys(state, agentId)) {
        counts.all += 1;
        counts[groupOf(healthOf(rowOf(state, agentId, key)))] += 1;
      }
      return counts;
    }),
  );
}

/** The keys of the plugins that pass the filter: those that need somebody first, then by name. */
export function useFilteredKeys(agentId: string, filter: Filter): string[] {
  return useMirror(
    useShallow((state) => {
      const wanted = filter.text.trim().toLowerCase();
      const found = rowKeys(state, agentId)
        .map((key) => rowOf(state, agentId, key))
        .filter((row) => {
          const plugin = row.plugin;
          if (filter.state && groupOf(healthOf(row)) !== filter.state) return false;
          if (filter.capability && !plugin?.capabilities[filter.capability]) return false;
          if (filter.runtime && plugin?.runtime !== filter.runtime) return false;
          if (!wanted) return true;
          return `${displayName(row)} ${row.key} ${plugin?.description ?? ""} ${plugin?.packageName ?? ""}`
            .toLowerCase()
            .includes(wanted);
        });
      return inOrderOfNeed(found).map((row) => row.key);
    }),
  );
}

/**
 * The capabilities and runtimes that occur among the plugins. Only these are offered as filters, so that none finds
 * nothing.
 */
export function useKinds(): { capabilities: CapabilityKind[]; runtimes: RuntimeId[] } {
  const key = useMirror((state) => {
    const capabilities = new Set<string>();
    const runtimes = new Set<RuntimeId>();
    for (const plugin of state.plugins.values()) {
      runtimes.add(plugin.runtime);
      for (const kind of capabilityKinds) if (plugin.capabilities[kind]) capabilities.add(kind);
    }
    return `${[...capabilities].sort()}|${inOrder(runtimes)}`;
  });
  const [capabilities = "", runtimes = ""] = key.split("|");
  return {
    capabilities: capabilityKinds.filter((kind) => capabilities.split(",").includes(kind)),
    runtimes: runtimes.split(",").filter(Boolean),
  };
}
