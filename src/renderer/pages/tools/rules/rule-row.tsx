import type { TFunction } from "i18next";
import { Ban, Check, CircleHelp, Pencil, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { PolicyEffect } from "../../../../contract/agent.ts";
import type { PolicyOverview } from "../../../../contract/permissions/explanation.ts";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import { useNow } from "../../../base/i18n/time.ts";
import { originWords } from "../../../features/policies/rule-words.ts";
import { useRuleWords } from "../../../features/policies/use-rule-words.ts";
import { cx } from "../../../ui/class-names.ts";
import { IconButton } from "../../../ui/controls/button.tsx";

type RuleEntry = PolicyOverview["rules"][number];

const looks: Record<PolicyEffect, { icon: typeof Check; tone: string }> = {
  allow: { icon: Check, tone: "bg-ok-wash text-ok" },
  ask: { icon: CircleHelp, tone: "bg-warn-wash text-warn" },
  deny: { icon: Ban, tone: "bg-bad-wash text-bad" },
};

interface RuleRowProps {
  entry: RuleEntry;
  /** Names on the screen by names on the wire. */
  titles: ReadonlyMap<string, string>;
  onEdit(): void;
  onRemove(): void;
}

/** A rule: what it says and for whom, where it came from, and for how many tools it decides. */
export function RuleRow({ entry, titles, onEdit, onRemove }: RuleRowProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const words = useRuleWords();
  const { rule, names } = entry;
  const { icon: Icon, tone } = looks[rule.effect];
  const said = words.rule(rule, titles);
  const title = titles.get(rule.tool) ?? cleanLine(rule.tool);
  return (
    <li aria-label={said} className="flex items-start gap-3 px-4 py-3">
      <span className={cx("grid size-7 shrink-0 place-items-center rounded-full", tone)}>
        <Icon className="size-4" aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <code className="figure font-semibold wrap-anywhere">{title}</code>
          <span className="text-sm">
            {t(`effect.${rule.effect}`)}, {words.whom(rule.callers)}
          </span>
        </p>
        <p className="text-xs text-mute">
          {originWords(t, rule, now)} · {decidesWords(t, entry)}
        </p>
        {names.length > 0 && rule.tool !== names[0] && (
          <details className="mt-1">
            <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">
              {t("rules.whichTools")}
            </summary>
            <p className="figure mt-1 text-xs wrap-anywhere">
              {names.map((name) => titles.get(name) ?? name).join(", ")}
            </p>
          </details>
        )}
      </div>
      <div className="flex shrink-0">
        <IconButton label={t("rules.editOf", { rule: said })} onClick={onEdit}>
          <Pencil className="size-4" aria-hidden="true" />
        </IconButton>
        <IconButton label={t("rules.removeOf", { rule: said })} onClick={onRemove}>
          <Trash2 className="size-4" aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  );
}

function decidesWords(t: TFunction, { names, decides }: RuleEntry): string {
  if (names.length === 0) return t("rules.namesNone");
  if (decides === 0) return t("rules.decidesNone");
  return decides === names.length
    ? t("rules.decides", { count: decides })
    : t("rules.decidesSome", { names: names.length, count: decides });
}
