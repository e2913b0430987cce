import { useEffect, useState } from "react";
import type { CatalogEntry } from "../../../contract/job.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";

const pauseMs = 150;
/** A catalogue may list thousands; only the best are listed here. Discover shows all of them. */
const most = 40;

export interface CatalogueAnswer {
  /** What calls itself a plugin. */
  entries: CatalogEntry[];
  /** A package of exactly the typed name that does not say that it is a plugin. */
  foreign: CatalogEntry | null;
  /** What is nearly called so. */
  near: CatalogEntry[];
  /** How many more there are than are listed. */
  more: number;
  failures: { source: string; message: string }[];
  problem: ShownProblem | null;
  searching: boolean;
}

const nothing: CatalogueAnswer = {
  entries: [],
  foreign: null,
  near: [],
  more: 0,
  failures: [],
  problem: null,
  searching: false,
};

/** What the catalogue answers to `query`, asked again when the query or what is installed changes. */
export function useCatalogue(query: string, registry?: string): CatalogueAnswer {
  const [answer, setAnswer] = useState(nothing);
  const live = useMirror(isConnected);
  const installed = useMirror((state) => state.plugins.size);

  useEffect(() => {
    if (!live || installed < 0) return;
    const scope = new AbortController();
    setAnswer((before) => ({ ...before, searching: true }));
    const timer = setTimeout(
      async () => {
        try {
          const found = await rpc.catalog.search(
            { query, ...(registry && { registry }) },
            { signal: scope.signal },
          );
          // Without a typed word only the plugins that come with Patchbay are offered.
          const plugins = found.entries.filter((entry) => !entry.foreign);
          const foreign = found.entries.find((entry) => entry.foreign) ?? null;
          const fitting = query === "" ? plugins.filter(isBuiltIn) : plugins;
          const entries = fitting.slice(0, most);
          const more = fitting.length - entries.length;
          const { failures, near = [] } = found;
          setAnswer({ entries, foreign, near, more, failures, problem: null, searching: false });
        } catch (error) {
          if (!scope.signal.aborted) setAnswer({ ...nothing, problem: problemOf(error) });
        }
      },
      query === "" ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      scope.abort();
    };
  }, [query, registry, live, installed]);

  return answer;
}

const isBuiltIn = (entry: CatalogEntry) => entry.trust === "built-in";
