import { useEffect } from "react";
import type { NavigateFunction } from "react-router";
import { foundPath } from "../../base/routes.ts";
import {
  askCatalogues,
  noDiscoverFilter,
  searchIndex,
  useDiscover,
  useFindInstalled,
} from "../catalogue/public.ts";
import type { Entry } from "./entry.ts";

const most = 6;
const leastLetters = 2;

/** What could be installed and fits: the results of Discover, from the catalogues that are known. */
export function useFoundEntries(agentId: string, query: string, navigate: NavigateFunction): Entry[] {
  const index = useDiscover((state) => state.index);
  const findInstalled = useFindInstalled();
  useEffect(() => {
    const life = new AbortController();
    if (!useDiscover.getState().listed.loaded) void askCatalogues(life.signal);
    return () => life.abort();
  }, []);
  if (query.trim().length < leastLetters) return [];
  const filter = { ...noDiscoverFilter, installed: false };
  return searchIndex(index, query, filter, (entry) => findInstalled(entry) !== null)
    .slice(0, most)
    .map((entry) => ({
      id: `found:${entry.spec}`,
      kind: "found",
      text: entry.displayName,
      also: `${entry.packageName} ${entry.description}`,
      run: () => void navigate(foundPath(agentId, entry.spec)),
    }));
}
