import type { TFunction } from "i18next";
import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Consent } from "../../../../contract/job.ts";
import { warningWords } from "../../../base/i18n/warning-words.ts";
import { Group, List } from "./parts.tsx";

/** What speaks against it: that its name is one of Patchbay's, and what its code tried during the look. */
export function Alarms({ consent }: { consent: Consent }) {
  const { t } = useTranslation();
  const { tried } = consent;
  const names = linesOf(consent, t).filter(({ lang }) => lang === undefined);
  if (tried.length === 0 && names.length === 0) return null;
  return (
    <section className="rounded-lg border border-warn/35 bg-warn-wash px-4 py-3">
      <Group title={t("consent.before")} icon={icon}>
        <div className="space-y-2 text-sm">
          {names.map(({ text }) => (
            <p key={text} className="break-words text-pretty">
              {text}
            </p>
          ))}
          {tried.length > 0 && <p className="text-pretty">{t("consent.tried")}</p>}
          <List lines={tried.map(({ wall, target }) => ({ text: t(`consent.tried.${wall}`, { target }) }))} />
        </div>
      </Group>
    </section>
  );
}

/** What to know besides, mostly what its author should mend, in the core's English. */
export function Warnings({ consent }: { consent: Consent }) {
  const { t } = useTranslation();
  const lines = linesOf(consent, t).filter(({ lang }) => lang !== undefined);
  if (lines.length === 0) return null;
  return (
    <Group title={t("consent.warnings")} icon={icon}>
      <List lines={lines} />
    </Group>
  );
}

const icon = <TriangleAlert className="size-4 text-warn" aria-hidden="true" />;

/** The warnings but for what it tried, which has words of its own. */
function linesOf(consent: Consent, t: TFunction) {
  return warningWords({ ...consent, warnings: consent.warnings.slice(consent.tried.length) }, t);
}

/** Why it is refused unless the person takes the risk. Jobs of older versions have the English sentence alone. */
export function riskWords({ displayName: name, risk, riskOf = [] }: Consent, t: TFunction): string {
  const [want, other] = riskOf;
  if (want === undefined) return risk ?? "";
  return t(`consent.risk.${other === undefined ? want : "both"}`, { name });
}
