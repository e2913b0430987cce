import type { TFunction } from "i18next";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Consent } from "../../../../contract/job.ts";
import { warningWords } from "../../../base/i18n/warning-words.ts";
import { Group, List } from "./parts.tsx";

/** What to know besides: what its code tried during the look, and what its author should mend, in the core's English. */
export function Warnings({ consent }: { consent: Consent }) {
  const { t } = useTranslation();
  const { tried, warnings } = consent;
  if (warnings.length === 0) return null;
  const lines = [
    ...tried.map(({ wall, target }) => ({ text: t(`consent.tried.${wall}`, { target }) })),
    ...warningWords({ ...consent, warnings: warnings.slice(tried.length) }, t),
  ];
  return (
    <Group
      title={t("consent.warnings")}
      icon={<TriangleAlert className="size-4 text-warn" aria-hidden="true" />}
    >
      <List lines={lines} />
    </Group>
  );
}

/** Why it is refused unless the person takes the risk. Jobs of older versions have the English sentence alone. */
export function riskWords({ displayName: name, risk, riskOf = [] }: Consent, t: TFunction): string {
  const [want, other] = riskOf;
  if (want === undefined) return risk ?? "";
  return t(`consent.risk.${other === undefined ? want : "both"}`, { name });
}
