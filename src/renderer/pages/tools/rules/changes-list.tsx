import { useTranslation } from "react-i18next";
import type { PolicyEffect } from "../../../../contract/agent.ts";
import { callerKey } from "../../../../contract/permissions/explanation.ts";
import { useRuleWords } from "../../../features/policies/use-rule-words.ts";
import { cx } from "../../../ui/class-names.ts";
import type { Preview } from "./use-preview.ts";

/** Lines that are shown at most. */
const most = 12;

const tones: Record<PolicyEffect, string> = { allow: "text-ok", ask: "text-warn", deny: "text-bad" };

/** What a rule would change before it is saved: each tool and whoever asks, before and after. */
export function ChangesList({ preview }: { preview: Preview | null }) {
  const { t } = useTranslation();
  const words = useRuleWords();
  if (!preview) return <p className="text-sm text-mute">{t("rules.changes.looking")}</p>;
  const { changes, tools } = preview;
  if (changes.length === 0) return <p className="text-sm text-mute">{t("rules.changes.none")}</p>;
  const shown = changes.slice(0, most);
  return (
    <>
      <p className="text-sm font-medium">{t("rules.changes.tools", { count: tools })}</p>
      <ul className="mt-1.5 divide-y divide-line rounded-md border border-line text-sm">
        {shown.map(({ tool, title, caller, before, after }) => (
          <li
            key={`${tool} ${callerKey(caller)}`}
            className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5"
          >
            <code className="figure font-semibold wrap-anywhere">{title}</code>
            <span className="min-w-0 flex-1 text-xs text-mute">{words.who(caller)}</span>
            <span className="text-xs">
              <span className="text-mute">{t(`effect.${before}`)}</span>
              <span aria-hidden="true"> → </span>
              <span className={cx("font-medium", tones[after])}>{t(`effect.${after}`)}</span>
            </span>
          </li>
        ))}
      </ul>
      {changes.length > shown.length && (
        <p className="mt-1 text-xs text-mute">
          {t("rules.changes.more", { count: changes.length - shown.length })}
        </p>
      )}
    </>
  );
}
