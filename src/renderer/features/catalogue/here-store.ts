import { useEffect } from "react";
import { create } from "zustand";
import type { FoundHere, FoundPlugin } from "../../../contract/found/found.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";
import type { DiscoverFilter } from "./catalogue-index.ts";

interface Here {
  /** What other programs on this computer have; null until the core has looked. */
  found: FoundHere | null;
  problem: ShownProblem | null;
}

export const useHere = create<Here>()(() => ({ found: null, problem: null }));

async function look(signal: AbortSignal): Promise<void> {
  try {
    useHere.setState({ found: await rpc.plugins.found(undefined, { signal }), problem: null });
  } catch (error) {
    if (!signal.aborted) useHere.setState({ problem: problemOf(error) });
  }
}

/** Looks when Discover is opened, after each reconnection, and when another plugin is installed or removed. */
export function useLookHere(): void {
  const live = useMirror(isConnected);
  const installed = useMirror((state) => [...state.plugins.keys()].join(" "));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is installed is a part of the answer.
  useEffect(() => {
    if (!live) return;
    const scope = new AbortController();
    void look(scope.signal);
    return () => scope.abort();
  }, [live, installed]);
}

/** Those that fit the typed words and the filters, in the order in which their programs load them. */
export function searchHere(
  plugins: readonly FoundPlugin[],
  query: string,
  { runtime, installed }: Pick<DiscoverFilter, "runtime" | "installed">,
): FoundPlugin[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return plugins.filter((plugin) => {
    if (runtime !== null && plugin.runtime !== runtime) return false;
    if (installed !== null && (plugin.installed !== null) !== installed) return false;
    const text =
      `${plugin.name}\n${plugin.key}\n${plugin.description}\n${plugin.dir ?? plugin.spec}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
