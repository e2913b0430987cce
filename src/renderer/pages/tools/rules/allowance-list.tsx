import { useTranslation } from "react-i18next";
import {
  type Allowance,
  callerKey,
  type PolicyOverview,
} from "../../../../contract/permissions/explanation.ts";
import { rpc } from "../../../base/client/rpc.ts";
import { formatAgo, useNow } from "../../../base/i18n/time.ts";
import { useRuleWords } from "../../../features/policies/use-rule-words.ts";
import { useAction } from "../../../ui/action.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { ProblemNote } from "../../../ui/problem-note.tsx";

interface AllowanceListProps {
  agentId: string;
  allowances: readonly Allowance[];
  onChange(policies: PolicyOverview): void;
}

/** What the person allowed for the rest of one conversation, each with the way to take it back. */
export function AllowanceList({ agentId, allowances, onChange }: AllowanceListProps) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="rules-allowances" className="mt-7">
      <h2 id="rules-allowances" className="text-sm font-semibold">
        {t("rules.allowances")}
      </h2>
      <p className="mb-2 text-xs text-mute">
        {t(allowances.length > 0 ? "rules.allowancesText" : "rules.allowancesNone")}
      </p>
      {allowances.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
          {allowances.map((one) => (
            <li key={`${one.sessionId} ${one.tool} ${callerKey(one.caller)}`}>
              <AllowanceRow agentId={agentId} allowance={one} onChange={onChange} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface AllowanceRowProps {
  agentId: string;
  allowance: Allowance;
  onChange(policies: PolicyOverview): void;
}

function AllowanceRow({ agentId, allowance, onChange }: AllowanceRowProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const words = useRuleWords();
  const takeBack = useAction(rpc.policies.takeBack);
  const { sessionId, tool, title, caller, at } = allowance;
  const session = allowance.session || t("rules.noConversation");
  const when = formatAgo(at, now);
  const take = async () => {
    const after = await takeBack.act({ agentId, sessionId, tool, caller });
    if (after) onChange(after);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2">
        <div className="min-w-48 flex-1">
          <code className="figure font-semibold wrap-anywhere">{title}</code>
          <p className="text-xs text-mute">
            {caller.kind === "owner"
              ? t("rules.allowanceIn", { session, when })
              : t("rules.allowanceFor", { who: words.who(caller), session, when })}
          </p>
        </div>
        <Button
          size="sm"
          busy={takeBack.busy}
          aria-label={t("rules.takeBackOf", { tool: title, session })}
          onClick={() => void take()}
        >
          {t("rules.takeBack")}
        </Button>
      </div>
      {takeBack.problem && <ProblemNote className="mx-4 mb-3" problem={takeBack.problem} />}
    </>
  );
}
