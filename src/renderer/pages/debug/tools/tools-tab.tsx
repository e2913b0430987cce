import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useMirror } from "../../../store/mirror.ts";
import { SearchField } from "../../../ui/controls/search-field.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useAsked } from "../by-hand/use-asked.ts";
import { useContributionsVersion } from "../by-hand/use-contributions-version.ts";
import { CallHistory } from "./call-history.tsx";
import type { MadeCall } from "./calls.ts";
import { ToolList } from "./tool-list.tsx";
import { ToolPanel } from "./tool-panel.tsx";

/** Every tool of the agent, to be called by hand. */
export function ToolsTab({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const version = useContributionsVersion(agentId);
  const { answer, problem } = useAsked(version, (signal) => rpc.tools.rights({ agentId }, { signal }));
  const plugins = useMirror((state) => state.plugins);
  const [query, setQuery] = useState("");
  const [name, setName] = useState<string | null>(null);
  /** What is used again of an earlier call. */
  const [again, setAgain] = useState<MadeCall | null>(null);
  const tools = answer?.tools.filter(({ inChatsOnly }) => !inChatsOnly) ?? [];
  const nameOf = ({ owner }: ToolRight) =>
    owner === null ? t("tools.builtIn") : (plugins.get(owner)?.displayName ?? owner);
  const fitting = tools.filter((tool) => fits(tool, nameOf(tool), query));
  const chosen = tools.find((tool) => tool.name === name) ?? null;
  return (
    <div className="@container relative min-h-0 flex-1 overflow-y-auto px-6 pb-8">
      {problem && <ProblemNote problem={problem} />}
      {!problem && !answer && <Spinner className="m-4 text-mute" />}
      {answer && (
        <div className="@2xl:grid @2xl:grid-cols-[15rem_minmax(0,1fr)] @2xl:gap-6">
          <div className="@2xl:sticky @2xl:top-0 @2xl:self-start">
            <SearchField label={t("callTool.search")} value={query} onChange={setQuery} />
            <nav
              aria-label={t("callTool.list")}
              className="-mx-2 mt-2 max-h-52 overflow-y-auto px-2 @2xl:max-h-[calc(100vh-9rem)]"
            >
              <ToolList
                tools={fitting}
                chosen={name}
                onChoose={(next) => {
                  setAgain(null);
                  setName(next);
                }}
              />
              {fitting.length === 0 && <p className="py-2 text-sm text-mute">{t("tools.nothingFits")}</p>}
            </nav>
          </div>
          <div className="mt-3 min-w-0 @2xl:mt-0">
            {chosen ? (
              <ToolPanel
                key={`${chosen.name} ${again?.id ?? ""}`}
                agentId={agentId}
                tool={chosen}
                owner={chosen.owner === null ? null : nameOf(chosen)}
                again={again}
              />
            ) : (
              <EmptyState title={t("callTool.empty")} text={t("callTool.emptyText")} />
            )}
            <CallHistory
              agentId={agentId}
              onUse={(call) => {
                setAgain(call);
                setName(call.tool);
              }}
            />
          </div>
        </div>
      )}
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
