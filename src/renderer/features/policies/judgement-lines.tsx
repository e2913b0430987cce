import { useTranslation } from "react-i18next";
import type { Judgement } from "../../../contract/permissions/explanation.ts";
import { useRuleWords } from "./use-rule-words.ts";

/** Which rule or default decided, and why the other rules that name the tool did not. */
export function JudgementLines({ judgement: { decided, others } }: { judgement: Judgement }) {
  const { t } = useTranslation();
  const words = useRuleWords();
  return (
    <>
      <p>
        {decided.by === "rule"
          ? t("why.rule", { rule: words.rule(decided.rule) })
          : t("why.default", { why: t(`tools.default.${decided.why}`) })}
      </p>
      {others.length > 0 && (
        <div>
          <h4 className="text-xs font-medium text-mute">{t("why.others")}</h4>
          <ul className="mt-1 space-y-1">
            {others.map(({ rule, lost }) => (
              <li key={`${JSON.stringify(rule)} ${lost}`} className="wrap-anywhere">
                <span className="font-medium">{words.rule(rule)}</span>{" "}
                <span className="text-mute">{t(`why.lost.${lost}`)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
