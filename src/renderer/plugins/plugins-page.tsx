import { Plus, Search } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { JobStrip } from "../install/job-strip.tsx";
import { MatrixLink } from "../matrix/matrix-link.tsx";
import { panels } from "../shell/panels.ts";
import { useAgentId } from "../shell/routes.ts";
import { useMirror } from "../store/mirror.ts";
import { Button } from "../ui/button.tsx";
import { EmptyHome } from "./empty-home.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { noFilter, useCounts, useFilteredKeys } from "./filters.ts";
import { PluginList } from "./plugin-list.tsx";

/** Home: the plugins of one agent. */
export function PluginsPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const agentName = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const [filter, setFilter] = useState(noFilter);
  const keys = useFilteredKeys(agentId, filter);
  const { all } = useCounts(agentId);

  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-7 pt-5 pb-3.5">
        <div className="min-w-0">
          <h1 className="title">{t("plugins.title")}</h1>
          <p className="truncate text-mute">{t("plugins.subtitle", { agent: agentName })}</p>
        </div>
        <div className="flex items-center gap-3">
          <SearchField value={filter.text} onChange={(text) => setFilter({ ...filter, text })} />
          <MatrixLink />
          <Button
            look="accent"
            icon={<Plus className="size-4" aria-hidden="true" />}
            onClick={() => panels.openInstall()}
          >
            {t("plugins.add")}
          </Button>
        </div>
      </header>
      {all > 0 && (
        <div className="px-7 pb-3">
          <FilterBar agentId={agentId} filter={filter} onChange={setFilter} />
        </div>
      )}
      {all === 0 ? (
        <EmptyHome agentName={agentName} />
      ) : keys.length === 0 ? (
        <NothingFound onClear={() => setFilter(noFilter)} />
      ) : (
        <PluginList agentId={agentId} agentName={agentName} keys={keys}>
          <JobStrip />
        </PluginList>
      )}
    </div>
  );
}

function SearchField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const { t } = useTranslation();
  return (
    <div className="relative w-56">
      <Search
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-hint"
        aria-hidden="true"
      />
      <input
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={t("plugins.search")}
        aria-label={t("plugins.search")}
        className="field h-8 pr-3 pl-9 [&::-webkit-search-cancel-button]:hidden"
      />
    </div>
  );
}

function NothingFound({ onClear }: { onClear(): void }) {
  const { t } = useTranslation();
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 px-7 text-center">
      <p className="text-mute">{t("plugins.nothingFound")}</p>
      <Button onClick={onClear}>{t("filter.clear")}</Button>
    </div>
  );
}
