import { useEffect, useState } from "react";
import type { CatalogEntry } from "../../contract/job.ts";
import { problemOf, type ShownProblem } from "../client/problem.ts";
import { rpc } from "../client/rpc.ts";
import { isConnected, useMirror } from "../store/mirror.ts";

const pauseMs = 150;

export interface CatalogueAnswer {
  entries: CatalogEntry[];
  failures: { source: string; message: string }[];
  problem: ShownProblem | null;
  searching: boolean;
}

const nothing: CatalogueAnswer = { entries: [], failures: [], problem: null, searching: false };

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
          setAnswer({ ...found, problem: null, searching: false });
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
