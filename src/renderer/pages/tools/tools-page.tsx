import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useShallow } from "zustand/react/shallow";
import type { ToolRight } from "../../../contract/permissions/tool-rights.ts";
import { useAgentId } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { Button } from "../../ui/controls/button.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { MayList } from "./may-list.tsx";
import { ToolRow } from "./tool-row.tsx";
import { useRights } from "./use-rights.ts";

/** What an agent may do: what needs no question on top, then every tool, grouped by whose it is. */
export function ToolsPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const names = useMirror(
    useShallow((state) => Object.fromEntries([...state.plugins].map(([key, one]) => [key, one.displayName]))),
  );
  const { rights, problem, set } = useRights(agentId);
  const [query, setQuery] = useState("");
  const ownerOf = (tool: ToolRight) => (tool.owner === null ? null : (names[tool.owner] ?? tool.owner));
  const fitting =
    rights?.tools.filter((tool) => fits(tool, ownerOf(tool) ?? t("tools.builtIn"), query)) ?? [];
  const groups = [...Map.groupBy(fitting, (tool) => tool.owner)];
  return (
    <div className="h-full overflow-y-auto animate-appear">
      <div className="page-x max-w-4xl pt-5 pb-10">
        <header className="pb-4">
          <h1 className="title">{t("rail.tools")}</h1>
          <p className="text-mute">{t("tools.subtitle", { agent })}</p>
        </header>
        {problem && <ProblemNote problem={problem} />}
        {!problem && !rights && <p className="text-sm text-mute">{t("tools.loading")}</p>}
        {rights && (
          <>
            <MayList agentId={agentId} rights={rights} onChange={set} />
            <SearchField
              className="mt-6 max-w-72"
              label={t("tools.search")}
              value={query}
              onChange={setQuery}
            />
            {groups.map(([owner, tools]) => {
              const name = (tools[0] && ownerOf(tools[0])) ?? null;
              return (
                <section key={owner ?? ""} aria-label={name ?? t("tools.builtIn")} className="mt-5">
                  <h2 className="mb-2 text-sm font-semibold">
                    {name ?? t("tools.builtIn")}{" "}
                    <span className="ml-1 font-normal text-mute">
                      {t("tools.count", { count: tools.length })}
                    </span>
                  </h2>
                  <div className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
                    {tools.map((tool) => (
                      <ToolRow
                        key={tool.name}
                        agentId={agentId}
                        tool={tool}
                        owner={ownerOf(tool)}
                        onChange={set}
                      />
                    ))}
                  </div>
                </section>
              );
            })}
            {groups.length === 0 && (
              <EmptyState
                title={t("tools.nothingFits")}
                text={t("empty.lessFinds")}
                action={<Button onClick={() => setQuery("")}>{t("history.clear")}</Button>}
              />
            )}
            <p className="mt-4 text-xs text-mute">{t("tools.others")}</p>
          </>
        )}
      </div>
    </div>
  );
}

function fits(tool: ToolRight, owner: string, query: string): boolean {
  const text = `${tool.name} ${tool.title} ${tool.description} ${owner}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
