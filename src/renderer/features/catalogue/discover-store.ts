import { useEffect, useRef } from "react";
import { create } from "zustand";
import type { CatalogEntry } from "../../../contract/job.ts";
import { problemOf, type ShownProblem } from "../../base/client/problem.ts";
import { rpc } from "../../base/client/rpc.ts";
import { i18n } from "../../base/i18n/index.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";
import { buildIndex, type CatalogueIndex, type DiscoverFilter, noDiscoverFilter } from "./catalogue-index.ts";

export interface SourceFailure {
  source: string;
  message: string;
  /** What is shown of it is its list of then; absent: nothing is. */
  listedAt?: string;
}

interface Answer {
  searching: boolean;
  failures: SourceFailure[];
  problem: ShownProblem | null;
}

/** What Discover knows and what the person looks for; kept while they look at a result and come back. */
interface Discover {
  query: string;
  filter: DiscoverFilter;
  /** Everything that the catalogues list. */
  index: CatalogueIndex;
  listed: Answer & { loaded: boolean };
  /** What the registry found for `askedFor`. */
  registry: Answer & { askedFor: string; entries: CatalogEntry[] };
}

const calm: Answer = { searching: false, failures: [], problem: null };
const noFindings = { ...calm, askedFor: "", entries: [] };

export const useDiscover = create<Discover>()(() => ({
  query: "",
  filter: noDiscoverFilter,
  index: buildIndex([]),
  listed: { ...calm, loaded: false },
  registry: noFindings,
}));

// Entries are searched by their texts in the language of the screens.
i18n.on("languageChanged", () =>
  useDiscover.setState(({ index }) => ({ index: buildIndex(index.entries.map(({ entry }) => entry)) })),
);

export const discover = {
  look(query: string) {
    useDiscover.setState({ query });
  },
  narrow(filter: Partial<DiscoverFilter>) {
    useDiscover.setState((state) => ({ filter: { ...state.filter, ...filter } }));
  },
  clear() {
    useDiscover.setState({ query: "", filter: noDiscoverFilter });
  },
};

/** Asks the catalogues, once and whenever the sources change; what was known stays while they are asked again. */
export async function askCatalogues(signal?: AbortSignal): Promise<void> {
  useDiscover.setState((state) => ({ listed: { ...state.listed, searching: true } }));
  try {
    const found = await rpc.catalog.search({ query: "", scope: "catalogues", wait: "no" }, { signal });
    useDiscover.setState({
      index: buildIndex(found.entries),
      listed: { ...calm, loaded: true, failures: found.failures },
    });
  } catch (error) {
    if (signal?.aborted) return;
    useDiscover.setState((state) => ({
      listed: { ...calm, loaded: state.listed.loaded, problem: problemOf(error) },
    }));
  }
}

/** Asks the package registry for `query`. */
export async function askRegistry(query: string, signal?: AbortSignal): Promise<void> {
  useDiscover.setState((state) => ({ registry: { ...state.registry, searching: true } }));
  try {
    const { entries, failures } = await rpc.catalog.search({ query, scope: "registry" }, { signal });
    useDiscover.setState({ registry: { ...calm, askedFor: query, entries, failures } });
  } catch (error) {
    if (signal?.aborted) return;
    useDiscover.setState({ registry: { ...noFindings, askedFor: query, problem: problemOf(error) } });
  }
}

/**
 * The registry is asked only after this many milliseconds without a key press, because it belongs to somebody else and
 * should not be asked for each letter.
 */
const pauseMs = 300;
/** A shorter query is not sent to the registry: a single letter finds almost everything. */
const leastLetters = 2;

/** Keeps what Discover knows current while it is on the screen. */
export function useSources(): void {
  const live = useMirror(isConnected);
  // Null until the settings are known. When either address changes, the sources are asked again.
  const catalogues = useMirror(({ settings }) =>
    settings ? [...settings.catalogUrls, settings.mcpRegistry].join(" ") : null,
  );
  // Changes when a registry has been read, or could not be.
  const told = useMirror(({ mcpList }) =>
    mcpList && mcpList.reading === null ? `${mcpList.listedAt} ${mcpList.failedAt}` : null,
  );
  const toldBefore = useRef(told);
  const registry = useMirror((state) => (state.settings ? (state.settings.registry ?? "") : null));
  const query = useDiscover((state) => state.query.trim());

  useEffect(() => {
    if (!live || catalogues === null) return;
    const scope = new AbortController();
    void askCatalogues(scope.signal);
    return () => scope.abort();
  }, [live, catalogues]);

  // What was not waited for is there, or is known not to come.
  useEffect(() => {
    if (!live || told === null) return;
    if (toldBefore.current !== null && toldBefore.current !== told) void askCatalogues();
    toldBefore.current = told;
  }, [live, told]);

  useEffect(() => {
    if (query.length < leastLetters) {
      useDiscover.setState({ registry: noFindings });
      return;
    }
    if (!live || registry === null) return;
    const scope = new AbortController();
    const timer = setTimeout(() => void askRegistry(query, scope.signal), pauseMs);
    return () => {
      clearTimeout(timer);
      scope.abort();
    };
  }, [live, query, registry]);
}
