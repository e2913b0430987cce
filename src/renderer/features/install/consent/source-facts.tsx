import { useTranslation } from "react-i18next";
import type { Consent } from "../../../../contract/job.ts";
import { sourceWord } from "../../../model/runtimes.ts";
import { TrustBadge } from "../../../ui/badge.tsx";
import { publisherFacts } from "../vouched-facts.tsx";

type Origin = Pick<Consent, "trust" | "publisher" | "source">;

/** Where a package comes from: how far it is trusted, who published it, and its source. Rows for `Facts`. */
export function useSourceFacts({ trust, publisher, source }: Origin) {
  const { t } = useTranslation();
  return [
    {
      label: t("consent.trust"),
      value: (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TrustBadge trust={trust} />
          <span className="text-mute">{t(`trust.${trust}.help`)}</span>
        </span>
      ),
    },
    ...publisherFacts({ publisher, source, trust }, t),
    {
      label: t("consent.source"),
      value: (
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span>{t(sourceWord(source))}</span>
          <span className="figure break-all text-mute">{source.resolved ?? source.spec}</span>
        </span>
      ),
    },
  ];
}
