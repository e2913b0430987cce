import { Eye, ShieldCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Insight, type RiskLevel, riskLevelOf } from "../../../contract/asks.ts";
import { cx } from "../class-names.ts";

const tones: Record<RiskLevel, string> = {
  high: "border-bad/40 text-bad",
  medium: "border-warn/40 text-warn",
  low: "border-ok/40 text-ok",
};

/** How much of what the agent does goes through a plugin, as one word. */
export function RiskBadge({ insights }: { insights: readonly Insight[] }) {
  const { t } = useTranslation();
  const level = riskLevelOf(insights);
  return (
    <span
      data-risk={level}
      className={cx(
        "inline-flex h-5 items-center rounded-full border px-2 text-xs font-medium whitespace-nowrap",
        tones[level],
      )}
    >
      {t(`risk.level.${level}`)}
    </span>
  );
}

/** What goes through a plugin, a sentence each. `undeclared`: what its code does although it did not say so. */
export function InsightList({
  insights,
  undeclared = [],
}: {
  insights: readonly Insight[];
  undeclared?: readonly Insight[];
}) {
  const { t } = useTranslation();
  if (insights.length + undeclared.length === 0)
    return (
      <p className="flex items-start gap-2.5 text-sm text-mute">
        <ShieldCheck className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        {t("risk.none")}
      </p>
    );
  return (
    <div className="space-y-2 text-sm">
      <Lines insights={insights} />
      {undeclared.length > 0 && (
        <>
          <p className="text-warn">{t("risk.undeclared")}</p>
          <Lines insights={undeclared} />
        </>
      )}
    </div>
  );
}

function Lines({ insights }: { insights: readonly Insight[] }) {
  const { t } = useTranslation();
  if (insights.length === 0) return null;
  return (
    <ul className="space-y-2">
      {insights.map((insight) => (
        <li key={insight} className="flex items-start gap-2.5">
          <Eye className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />
          <span className="min-w-0 break-words">{t(`risk.${insight}`)}</span>
        </li>
      ))}
    </ul>
  );
}
