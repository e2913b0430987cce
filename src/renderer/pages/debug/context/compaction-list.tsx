import { useTranslation } from "react-i18next";
import type { Compaction } from "../../../../contract/trace/context.ts";
import { formatMoment } from "../../../base/i18n/time.ts";
import { formatTokens } from "./figures.ts";
import { Passage } from "./part-row.tsx";

/** The summaries that took the place of what had been said, each with what it made of how many tokens. */
export function CompactionList({ compactions }: { compactions: readonly Compaction[] }) {
  const { t } = useTranslation();
  if (compactions.length === 0) return null;
  return (
    <section aria-label={t("context.compactions")}>
      <h2 className="mb-1.5 text-sm font-semibold">{t("context.compactions")}</h2>
      <ul className="space-y-3">
        {compactions.map(({ at, text, characters, model, before, after, changed }) => (
          <li key={at} className="space-y-1">
            <p className="text-sm">
              {model === null || before === null || after === null
                ? t("context.compactedPlain", { when: formatMoment(at) })
                : t("context.compacted", {
                    model,
                    when: formatMoment(at),
                    before: formatTokens(before),
                    after: formatTokens(after),
                  })}
            </p>
            {changed && <p className="text-xs text-mute">{t("context.compactedChanged")}</p>}
            <Passage text={characters > text.length ? `${text}…` : text} />
          </li>
        ))}
      </ul>
    </section>
  );
}
