import { useTranslation } from "react-i18next";
import type { Judgement } from "../../../contract/permissions/explanation.ts";
import { useRuleWords } from "./use-rule-words.ts";

interface JudgementLinesProps {
  judgement: Judgement;
  tool: string;
  /** The tool's name on the screen. */
  title: string;
}

/** Which rule or default decided, and why the other rules that name the tool did not. */
export function JudgementLines({ judgement: { decided, others }, tool, title }: JudgementLinesProps) {
  const { t } = useTranslation();
  const words = useRuleWords();
  const titles = new Map([[tool, title]]);
  return (
    <>
      <p>
        {decided.by === "rule"
          ? t("why.rule", { rule: words.rule(decided.rule, titles) })
          : t("why.default", { why: t(`tools.default.${decided.why}`) })}
      </p>
      {others.length > 0 && (
        <div>
          <p className="text-xs font-medium text-mute">{t("why.others")}</p>
          <ul aria-label={t("why.others")} className="mt-1 space-y-1">
            {others.map(({ rule, lost }) => (
              <li key={`${JSON.stringify(rule)} ${lost}`} className="wrap-anywhere">
                <span className="font-medium">{words.rule(rule, titles)}</span>{" "}
                <span className="text-mute">{t(`why.lost.${lost}`)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
