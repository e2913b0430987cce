import type { PluginSearch } from "../../contract/index.ts";

/**
 * Begins a search, as a state machine: each function takes a state and returns the next one. The first step holds all
 * plugins off: if the problem is then still there, no plugin is the cause. Each further step holds one half of the
 * suspects off, until one suspect is left.
 */
export function beginSearch(agentId: string, plugins: readonly string[]): PluginSearch {
  const suspects = plugins.toSorted();
  return {
    agentId,
    status: "asking",
    step: 1,
    stepsLeft: 1 + halvings(suspects.length),
    off: suspects,
    suspects,
    found: null,
    startedAt: new Date().toISOString(),
  };
}

/** The next state. `usable`: the plugins that are still installed and switched on. */
export function answerSearch(
  search: PluginSearch,
  stillThere: boolean,
  usable: ReadonlySet<string>,
): PluginSearch {
  const isFirst = search.step === 1;
  if (isFirst && stillThere) return ended(search, "not_a_plugin", null);
  const off = new Set(search.off);
  // If the problem is gone while a half is held off, the cause is in that half; if it is still there, in the other
  // half.
  const left = search.suspects.filter((key) => isFirst || off.has(key) !== stillThere);
  const suspects = left.filter((key) => usable.has(key));
  const [only, ...others] = suspects;
  if (only === undefined) return ended(search, "gone", null);
  if (others.length === 0) return ended({ ...search, suspects }, "found", only);
  return {
    ...search,
    step: search.step + 1,
    stepsLeft: halvings(suspects.length),
    suspects,
    off: suspects.slice(0, Math.ceil(suspects.length / 2)),
  };
}

function ended(search: PluginSearch, status: PluginSearch["status"], found: string | null): PluginSearch {
  return { ...search, status, found, off: [], stepsLeft: 0 };
}

/** How many times `count` suspects must be halved until one is left. */
function halvings(count: number): number {
  return count <= 1 ? 0 : Math.ceil(Math.log2(count));
}
