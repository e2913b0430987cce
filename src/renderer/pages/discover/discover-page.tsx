import { Plus } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FoundPlugin } from "../../../contract/found/found.ts";
import type { CatalogEntry } from "../../../contract/job.ts";
import { formatCount } from "../../base/i18n/time.ts";
import { useAgentId } from "../../base/routes.ts";
import { searchIndex } from "../../features/catalogue/catalogue-index.ts";
import { discover, useDiscover, useSources } from "../../features/catalogue/discover-store.ts";
import { searchHere, useHere, useLookHere } from "../../features/catalogue/here-store.ts";
import { useFindInstalled } from "../../features/catalogue/installed.ts";
import { JobStrip } from "../../features/install/job-strip.tsx";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { Button } from "../../ui/controls/button.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { takeFocus } from "../../ui/controls/take-focus.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { DiscoverFilters } from "./discover-filters.tsx";
import { DiscoverList } from "./discover-list.tsx";
import { ForeignNote } from "./foreign-note.tsx";
import { HereList } from "./here/here-list.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { McpOffer } from "./servers/mcp-offer.tsx";
import { ReadingNote } from "./servers/reading-note.tsx";
import { SourceFailures } from "./source-failures.tsx";

/** Everything that can be installed, from every source. */
export function DiscoverPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const agentName = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  useSources();
  useLookHere();
  const findings = useFindings();
  const here = useDiscover((state) => state.filter.here);
  const found = here ? findings.here.length : findings.listed.length + findings.elsewhere.length;

  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 page-x pt-5 pb-3.5">
        <div className="min-w-0">
          <div className="flex items-baseline gap-3">
            <h1 className="title">{t("discover.title")}</h1>
            <p role="status" className="flex items-center gap-2 text-xs text-mute">
              {t("discover.count", { count: found, shown: formatCount(found) })}
              {findings.waiting && <Spinner />}
            </p>
          </div>
          <p className="truncate text-mute">{t("discover.subtitle", { agent: agentName })}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <QueryField />
          <Button
            icon={<Plus className="size-4" aria-hidden="true" />}
            title={t("discover.dropHint")}
            onClick={() => panels.openInstall()}
          >
            {t("discover.add")}
          </Button>
        </div>
      </header>
      <div className="page-x">
        <DiscoverFilters />
      </div>
      {here ? (
        <div className="min-h-0 flex-1 overflow-y-auto page-x pt-4 pb-8">
          <JobStrip without={findings.here.flatMap(({ server, spec }) => (server ? [spec] : []))} />
          <HereList agentId={agentId} shown={findings.here} />
        </div>
      ) : (
        <Results agentId={agentId} findings={findings} />
      )}
    </div>
  );
}

function QueryField() {
  const { t } = useTranslation();
  const query = useDiscover((state) => state.query);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => takeFocus(input.current), []);
  return (
    <SearchField
      ref={input}
      className="w-72"
      label={t("discover.search")}
      value={query}
      onChange={discover.look}
    />
  );
}

/** The same element at every drawing, so that a key press draws the list again only when its results have arrived. */
const aboveResults = (
  <>
    <JobStrip />
    <SourceFailures />
    <ReadingNote />
    <McpOffer />
  </>
);

function Results({ agentId, findings }: { agentId: string; findings: Findings }) {
  const { listed, elsewhere, foreign, waiting, searched } = findings;
  const above = useMemo(
    () =>
      foreign.length === 0 ? (
        aboveResults
      ) : (
        <>
          {aboveResults}
          <div className="-mt-4 mb-4">
            <ForeignNote agentId={agentId} foreign={foreign} />
          </div>
        </>
      ),
    [agentId, foreign],
  );
  const found = listed.length + elsewhere.length;
  return found === 0 && !waiting ? (
    <div className="min-h-0 flex-1 overflow-y-auto page-x pt-4 pb-8">
      {aboveResults}
      <NothingFound agentId={agentId} foreign={foreign} />
    </div>
  ) : (
    <DiscoverList agentId={agentId} listed={listed} elsewhere={elsewhere} searched={searched}>
      {above}
    </DiscoverList>
  );
}

interface Findings {
  /** From the catalogues. */
  listed: CatalogEntry[];
  /** Plugins of the registry, without what a catalogue lists too. */
  elsewhere: CatalogEntry[];
  /** Packages of the registry that do not say that they are plugins. */
  foreign: CatalogEntry[];
  /** What other programs on this computer have. */
  here: FoundPlugin[];
  waiting: boolean;
  /** The query that found them. */
  searched: string;
}

function useFindings(): Findings {
  const { index, listed: sources, registry } = useDiscover();
  // Typed letters are shown at once. The results are computed in deferred work that the next key press may interrupt.
  const query = useDeferredValue(useDiscover((state) => state.query));
  const filter = useDeferredValue(useDiscover((state) => state.filter));
  const findInstalled = useFindInstalled();
  const listed = useMemo(
    () => searchIndex(index, query, filter, (entry) => findInstalled(entry) !== null),
    [index, query, filter, findInstalled],
  );
  const ofRegistry = useMemo(() => {
    if (registry.askedFor !== query.trim() || filter.runtime || filter.capability) return [];
    return registry.entries.filter((entry) => {
      if (index.specs.has(entry.spec) || (filter.source !== null && filter.source !== entry.source))
        return false;
      return filter.installed === null || (findInstalled(entry) !== null) === filter.installed;
    });
  }, [registry, query, filter, index, findInstalled]);
  // The list is drawn anew only when its results are others.
  const elsewhere = useMemo(() => ofRegistry.filter((entry) => !entry.foreign), [ofRegistry]);
  const foreign = useMemo(() => ofRegistry.filter((entry) => entry.foreign), [ofRegistry]);
  const found = useHere((state) => state.found);
  const here = useMemo(() => searchHere(found?.plugins ?? [], query, filter), [found, query, filter]);
  const waiting = (!sources.loaded && !sources.problem) || registry.searching;
  return {
    listed,
    elsewhere,
    foreign,
    here,
    waiting,
    searched: `${query}\n${JSON.stringify(filter)}`,
  };
}
