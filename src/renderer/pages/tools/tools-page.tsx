import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { toolsParts, toolsPath, useAgentId } from "../../base/routes.ts";
import { useMirror } from "../../store/mirror.ts";
import { TabPanel, Tabs } from "../../ui/controls/tabs.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { AllTools } from "./all-tools.tsx";
import { ProgramsPart } from "./programs/programs-part.tsx";
import { RulesPart } from "./rules/rules-part.tsx";
import { usePolicies } from "./rules/use-policies.ts";
import { WhatIfPart } from "./rules/what-if-part.tsx";
import { useRights } from "./use-rights.ts";

/** What an agent may do: every tool, the rules behind it, and a call that is tried without running it. */
export function ToolsPage() {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const navigate = useNavigate();
  const { part } = useParams();
  const current = toolsParts.find((one) => one === part) ?? "tools";
  const agent = useMirror((state) => state.agents.get(agentId)?.name ?? agentId);
  const rights = useRights(agentId);
  const policies = usePolicies(agentId);
  const problem = rights.problem ?? (current === "tools" ? null : policies.problem);
  const count = policies.policies?.rules.length;
  return (
    <div className="flex h-full min-w-0 flex-col animate-appear">
      <header className="page-x pt-5 pb-2">
        <h1 className="title">{t("rail.tools")}</h1>
        <p className="text-mute">{t("tools.subtitle", { agent })}</p>
      </header>
      <Tabs
        label={t("rules.parts")}
        value={current}
        onChange={(next) => void navigate(toolsPath(agentId, next), { replace: true })}
        tabs={toolsParts.map((value) => ({
          value,
          label: t(`rules.part.${value}`),
          ...(value === "rules" && count !== undefined && { count }),
        }))}
      >
        <TabPanel
          key={current}
          value={current}
          className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
        >
          <div className="page-x max-w-4xl pt-5 pb-10">
            {problem && current !== "programs" && <ProblemNote problem={problem} />}
            {!problem && current === "tools" && !rights.rights && (
              <p className="text-sm text-mute">{t("tools.loading")}</p>
            )}
            {current === "programs" && <ProgramsPart key={agentId} agentId={agentId} />}
            {!problem && (current === "rules" || current === "what-if") && !policies.policies && (
              <p className="text-sm text-mute">{t("rules.loading")}</p>
            )}
            {current === "tools" && rights.rights && !problem && (
              <AllTools agentId={agentId} rights={rights.rights} onChange={rights.set} />
            )}
            {current === "rules" && rights.rights && policies.policies && (
              <RulesPart
                agentId={agentId}
                tools={rights.rights.tools}
                policies={policies.policies}
                onChange={policies.set}
              />
            )}
            {current === "what-if" && rights.rights && policies.policies && (
              <WhatIfPart
                key={agentId}
                agentId={agentId}
                tools={rights.rights.tools}
                callers={policies.policies.callers}
                version={policies.policies}
              />
            )}
          </div>
        </TabPanel>
      </Tabs>
    </div>
  );
}
