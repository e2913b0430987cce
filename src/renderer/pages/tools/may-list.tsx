import { ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PolicyRule } from "../../../contract/agent.ts";
import type { ToolRights } from "../../../contract/permissions/tool-rights.ts";
import { rpc } from "../../base/client/rpc.ts";
import { useNow } from "../../base/i18n/time.ts";
import { callerWords, originWords, whyWords } from "../../features/policies/rule-words.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";

interface MayListProps {
  agentId: string;
  rights: ToolRights;
  onChange(rights: ToolRights): void;
}

/** Everything that happens without a question, on top of the page: what was allowed can be taken back at once. */
export function MayList({ agentId, rights, onChange }: MayListProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const allowing = rights.rules.filter((rule) => rule.effect === "allow");
  const reading = rights.tools.filter(
    (tool) => tool.effect === "allow" && !tool.rule && !tool.inChatsOnly && !tool.withheld,
  );
  const isOff = (rule: PolicyRule) =>
    rights.tools.some((tool) => tool.name === rule.tool && tool.effect === "deny");
  return (
    <section aria-labelledby="tools-may" className="rounded-lg border border-line bg-surface shadow-card">
      <header className="flex items-center gap-2.5 px-4 pt-3.5 pb-2">
        <ShieldCheck className="size-4 shrink-0 text-mute" aria-hidden="true" />
        <h2 id="tools-may" className="text-sm font-semibold">
          {t("tools.may")}
        </h2>
      </header>
      {allowing.length + reading.length === 0 && (
        <p className="px-4 pb-4 text-sm text-mute">{t("tools.mayNothing")}</p>
      )}
      <ul className="divide-y divide-line">
        {allowing.map((rule) => (
          <li key={`${rule.tool} ${JSON.stringify(rule.callers)}`}>
            <Allowed
              agentId={agentId}
              rule={rule}
              title={rights.tools.find((tool) => tool.name === rule.tool)?.title ?? rule.tool}
              notes={[
                callerWords(t, rule),
                originWords(t, rule, now),
                isOff(rule) ? t("tools.butOff") : null,
              ]}
              onChange={onChange}
            />
          </li>
        ))}
        {reading.map((tool) => (
          <li key={tool.name} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
            <code className="figure font-semibold wrap-anywhere">{tool.title}</code>
            <span className="min-w-0 text-xs text-mute">{whyWords(t, tool, now)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AllowedProps {
  agentId: string;
  rule: PolicyRule;
  title: string;
  notes: (string | null)[];
  onChange(rights: ToolRights): void;
}

function Allowed({ agentId, rule, title, notes, onChange }: AllowedProps) {
  const { t } = useTranslation();
  const revoke = useAction(rpc.tools.revoke);
  const take = async () => {
    const { tool, callers } = rule;
    const after = await revoke.act({ agentId, tool, ...(callers && { callers }) });
    if (after) onChange(after);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2">
        <div className="min-w-48 flex-1">
          <code className="figure font-semibold wrap-anywhere">{title}</code>
          <p className="text-xs text-mute">{notes.filter((note) => note !== null).join(" · ")}</p>
        </div>
        <Button
          size="sm"
          busy={revoke.busy}
          aria-label={t("tools.revokeOf", { tool: title })}
          onClick={() => void take()}
        >
          {t("tools.revoke")}
        </Button>
      </div>
      {revoke.problem && <ProblemNote className="mx-4 mb-3" problem={revoke.problem} />}
    </>
  );
}
