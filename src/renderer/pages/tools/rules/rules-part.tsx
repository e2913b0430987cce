import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PolicyOverview, RuleDraft } from "../../../../contract/permissions/explanation.ts";
import type { ToolRight } from "../../../../contract/permissions/tool-rights.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { useRuleWords } from "../../../features/policies/use-rule-words.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { EmptyState } from "../../../ui/empty/empty-state.tsx";
import { AllowanceList } from "./allowance-list.tsx";
import { ChangesList } from "./changes-list.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { RuleRow } from "./rule-row.tsx";
import { usePreview } from "./use-preview.ts";

interface RulesPartProps {
  agentId: string;
  tools: readonly ToolRight[];
  policies: PolicyOverview;
  onChange(policies: PolicyOverview): void;
}

type Open = { what: "form"; rule: RuleDraft | null } | { what: "remove"; rule: RuleDraft };

/** The agent's rules as they win, and what holds for one conversation alone. */
export function RulesPart({ agentId, tools, policies, onChange }: RulesPartProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open | null>(null);
  const titles = new Map(tools.map(({ name, title }) => [name, title]));
  const channels = [
    ...new Set(policies.callers.flatMap((one) => (one.kind === "channel" ? [one.channel] : []))),
  ];
  const close = () => setOpen(null);
  const add = (
    <Button
      look="accent"
      icon={<Plus className="size-4" aria-hidden="true" />}
      onClick={() => setOpen({ what: "form", rule: null })}
    >
      {t("rules.add")}
    </Button>
  );
  return (
    <>
      {policies.rules.length === 0 ? (
        <EmptyState title={t("rules.none")} text={t("rules.noneText")} action={add} />
      ) : (
        <>
          <div className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
            <p className="min-w-64 flex-1 text-sm text-mute">{t("rules.intro")}</p>
            {add}
          </div>
          <ol
            aria-label={t("rules.list")}
            className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card"
          >
            {policies.rules.map((entry) => (
              <RuleRow
                key={JSON.stringify([entry.rule.tool, entry.rule.effect, entry.rule.callers])}
                entry={entry}
                titles={titles}
                onEdit={() => setOpen({ what: "form", rule: draftOf(entry.rule) })}
                onRemove={() => setOpen({ what: "remove", rule: draftOf(entry.rule) })}
              />
            ))}
          </ol>
        </>
      )}
      <AllowanceList agentId={agentId} allowances={policies.allowances} onChange={onChange} />
      {open?.what === "form" && (
        <RuleDialog
          agentId={agentId}
          tools={tools}
          channels={channels}
          rule={open.rule}
          onClose={close}
          onSaved={onChange}
        />
      )}
      {open?.what === "remove" && (
        <RemoveRule agentId={agentId} rule={open.rule} onClose={close} onRemoved={onChange} />
      )}
    </>
  );
}

interface RemoveRuleProps {
  agentId: string;
  rule: RuleDraft;
  onClose(): void;
  onRemoved(policies: PolicyOverview): void;
}

function RemoveRule({ agentId, rule, onClose, onRemoved }: RemoveRuleProps) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const preview = usePreview(agentId, null, rule);
  return (
    <Confirm
      open
      danger
      onClose={onClose}
      title={t("rules.removeTitle", { rule: words.rule(rule) })}
      consequences={[<ChangesList key="changes" preview={preview} />]}
      verb={t("rules.remove")}
      run={async () => onRemoved(await rpc.policies.remove({ agentId, rule }))}
    />
  );
}

/** The rule without where it came from, as it is sent. */
function draftOf({ tool, effect, callers }: RuleDraft): RuleDraft {
  return { tool, effect, ...(callers && { callers }) };
}
