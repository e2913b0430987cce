import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolRight, ToolRights } from "../../../contract/permissions/tool-rights.ts";
import { useRuleWords } from "../../features/policies/use-rule-words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { SearchField } from "../../ui/controls/search-field.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { MayList } from "./may-list.tsx";
import { ToolRow } from "./tool-row.tsx";

interface AllToolsProps {
  agentId: string;
  rights: ToolRights;
  onChange(rights: ToolRights): void;
}

/** What needs no question on top, then every tool, grouped by whose it is. */
export function AllTools({ agentId, rights, onChange }: AllToolsProps) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const [query, setQuery] = useState("");
  const fitting = rights.tools.filter((tool) => fits(tool, words.owner(tool.owner), query));
  const groups = [...Map.groupBy(fitting, (tool) => tool.owner)];
  return (
    <>
      <MayList agentId={agentId} rights={rights} onChange={onChange} />
      <SearchField className="mt-6 max-w-72" label={t("tools.search")} value={query} onChange={setQuery} />
      {groups.map(([owner, tools]) => (
        <section key={owner ?? ""} aria-label={words.owner(owner)} className="mt-5">
          <h2 className="mb-2 text-sm font-semibold">
            {words.owner(owner)}{" "}
            <span className="ml-1 font-normal text-mute">{t("tools.count", { count: tools.length })}</span>
          </h2>
          <div className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
            {tools.map((tool) => (
              <ToolRow
                key={tool.name}
                agentId={agentId}
                tool={tool}
                owner={owner === null ? null : words.owner(owner)}
                onChange={onChange}
              />
            ))}
          </div>
        </section>
      ))}
      {groups.length === 0 && (
        <EmptyState
          title={t("tools.nothingFits")}
          text={t("empty.lessFinds")}
          action={<Button onClick={() => setQuery("")}>{t("history.clear")}</Button>}
        />
      )}
      <p className="mt-4 text-xs text-mute">{t("tools.others")}</p>
    </>
  );
}

function fits(tool: ToolRight, owner: string, query: string): boolean {
  const text = `${tool.name} ${tool.title} ${tool.description} ${owner}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
