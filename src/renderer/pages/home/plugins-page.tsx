import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useAgentId } from "../../base/routes.ts";
import { JobStrip } from "../../features/install/job-strip.tsx";
import { PaletteKeys } from "../../features/palette/palette-keys.tsx";
import { noFilter, useCounts, useFilteredKeys } from "../../model/filters.ts";
import { useMirror } from "../../store/mirror.ts";
import { panels } from "../../store/panels.ts";
import { Button } from "../../ui/controls/button.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { EmptyHome } from "./empty-home.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { MatrixLink } from "./matrix-link.tsx";
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
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 page-x pt-5 pb-3.5">
        <div className="min-w-0">
          <h1 className="title">{t("plugins.title")}</h1>
          <p className="truncate text-mute">{t("plugins.subtitle", { agent: agentName })}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            className="w-60"
            label={t("plugins.search")}
            value={filter.text}
            onChange={(text) => setFilter({ ...filter, text })}
            whenEmpty={<PaletteKeys />}
          />
          <MatrixLink />
          <Button
            look={all === 0 ? "plain" : "accent"}
            icon={<Plus className="size-4" aria-hidden="true" />}
            onClick={() => panels.openInstall()}
          >
            {t("plugins.add")}
          </Button>
        </div>
      </header>
      {all > 0 && (
        <div className="page-x pb-3">
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

function NothingFound({ onClear }: { onClear(): void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      size="page"
      as="h2"
      className="mt-[6vh]"
      title={t("plugins.nothingFound")}
      text={t("empty.lessFinds")}
      action={<Button onClick={onClear}>{t("filter.clear")}</Button>}
    />
  );
}
