import { LayoutList } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useShallow } from "zustand/react/shallow";
import { homePath, useAgentId } from "../../../base/routes.ts";
import { JobStrip } from "../../../features/install/job-strip.tsx";
import { compareNames } from "../../../model/by-name.ts";
import { useMirror } from "../../../store/mirror.ts";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { MatrixGrid } from "./matrix-grid.tsx";

/** Every plugin and every agent in one table. */
export function MatrixPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const [text, setText] = useState("");
  const agents = useMirror(useShallow((state) => [...state.agents.keys()]));
  const plugins = useMirror((state) => state.plugins);
  const keys = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    return [...plugins.values()]
      .filter(({ displayName, manifestKey }) =>
        `${displayName} ${manifestKey}`.toLowerCase().includes(wanted),
      )
      .sort((a, b) => compareNames(a.displayName, b.displayName))
      .map(({ manifestKey }) => manifestKey);
  }, [plugins, text]);

  return (
    <div className="flex h-full min-w-0 flex-col">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 page-x pt-5 pb-3.5">
        <div className="min-w-0">
          <h1 className="title">{t("plugins.title")}</h1>
          <p className="truncate text-mute">{t("matrix.subtitle")}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <SearchField className="w-56" label={t("matrix.search")} value={text} onChange={setText} />
          <Link
            to={homePath(agentId)}
            className="inline-flex h-8 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm font-semibold hover:bg-sunk"
          >
            <LayoutList className="size-4" aria-hidden="true" />
            {t("matrix.list")}
          </Link>
        </div>
      </header>
      <div className="page-x empty:hidden">
        <JobStrip />
      </div>
      {keys.length > 0 ? (
        <MatrixGrid keys={keys} agents={agents} current={agentId} />
      ) : (
        <p className="grid flex-1 place-content-center text-mute">
          {t(plugins.size === 0 ? "matrix.none" : "matrix.nothingFound")}
        </p>
      )}
    </div>
  );
}
