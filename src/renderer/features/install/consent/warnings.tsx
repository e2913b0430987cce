import type { TFunction } from "i18next";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Consent } from "../../../../contract/job.ts";
import { Group, List } from "./parts.tsx";

/** What to know besides: what its code tried during the look, and what its author should mend, in the core's English. */
export function Warnings({ consent: { tried, warnings } }: { consent: Consent }) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  const others = warnings.slice(tried.length);
  return (
    <Group
      title={t("consent.warnings")}
      icon={<TriangleAlert className="size-4 text-warn" aria-hidden="true" />}
    >
      {tried.length > 0 && (
        <List lines={tried.map(({ wall, target }) => t(`consent.tried.${wall}`, { target }))} />
      )}
      {others.length > 0 && (
        <div lang="en" className={tried.length > 0 ? "mt-1" : undefined}>
          <List lines={others} />
        </div>
      )}
    </Group>
  );
}

/** Why it is refused unless the person takes the risk. Jobs of older versions have the English sentence alone. */
export function riskWords({ displayName: name, risk, riskOf = [] }: Consent, t: TFunction): string {
  const [want, other] = riskOf;
  if (want === undefined) return risk ?? "";
  return t(`consent.risk.${other === undefined ? want : "both"}`, { name });
}
