import { ShieldAlert, Sparkles, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Consent } from "../../../contract/job.ts";
import { AsksList } from "../../ui/asks-list.tsx";
import { RuntimeBadge, TrustBadge } from "../../ui/badge.tsx";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { Facts } from "../../ui/well.tsx";
import { vouchedFacts } from "./vouched-facts.tsx";

interface ConsentViewProps {
  consent: Consent;
  allowScripts: boolean;
  onAllowScripts(allow: boolean): void;
  acceptRisk: boolean;
  onAcceptRisk(accept: boolean): void;
}

/**
 * What to know before agreeing to an installation: who made the plugin, where it comes from, what it adds, what it asks
 * for, and which limits it runs under.
 */
export function ConsentView({
  consent,
  allowScripts,
  onAllowScripts,
  acceptRisk,
  onAcceptRisk,
}: ConsentViewProps) {
  const { t } = useTranslation();
  return (
    <div className="space-y-5">
      {consent.changes.length > 0 && (
        <Group
          title={t("consent.changes")}
          icon={<Sparkles className="size-4 text-accent" aria-hidden="true" />}
        >
          <List lines={consent.changes} />
        </Group>
      )}
      <Facts
        facts={[
          {
            label: t("consent.trust"),
            value: (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <TrustBadge trust={consent.trust} />
                <span className="text-mute">{t(`trust.${consent.trust}.help`)}</span>
              </span>
            ),
          },
          ...(consent.publisher ? [{ label: t("consent.publisher"), value: consent.publisher }] : []),
          {
            label: t("consent.source"),
            value: (
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                <span>{t(`source.${consent.source.kind}`)}</span>
                <span className="figure break-all text-mute">
                  {consent.source.resolved ?? consent.source.spec}
                </span>
              </span>
            ),
          },
          {
            label: t("consent.integrity"),
            value: consent.source.integrity ? (
              <span className="figure break-all">{consent.source.integrity}</span>
            ) : (
              <span className="text-mute">{t("consent.noIntegrity")}</span>
            ),
          },
          ...vouchedFacts(consent.source.vouched, t),
          {
            label: t("consent.brings"),
            value: (
              <span className="flex flex-wrap items-center gap-1.5">
                <RuntimeBadge runtime={consent.runtime} />
                <CapabilityBadges capabilities={consent.capabilities} />
              </span>
            ),
          },
        ]}
      />
      <Group title={t("consent.permissions")}>
        <AsksList asks={consent.asks} />
      </Group>
      <div className="flex items-start gap-3 rounded-lg border border-warn/35 bg-warn-wash px-4 py-3 text-sm">
        <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
        <p>{consent.enforcement}</p>
      </div>
      {consent.hasScripts && (
        <Choice checked={allowScripts} onChange={onAllowScripts}>
          {t("consent.scripts")} <span className="text-mute">{t("consent.scriptsHelp")}</span>
          {consent.asks.scripts.map(({ name, command }) => (
            <code key={name} className="figure mt-1 block break-all">
              {name}: {command}
            </code>
          ))}
        </Choice>
      )}
      {consent.risk && (
        <Choice checked={acceptRisk} onChange={onAcceptRisk}>
          {consent.risk} <strong>{t("consent.acceptRisk")}</strong>
        </Choice>
      )}
      {consent.warnings.length > 0 && (
        <Group
          title={t("consent.warnings")}
          icon={<TriangleAlert className="size-4 text-warn" aria-hidden="true" />}
        >
          <List lines={consent.warnings} />
        </Group>
      )}
    </div>
  );
}

interface ChoiceProps {
  checked: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}

function Choice({ checked, onChange, children }: ChoiceProps) {
  return (
    <label className="flex items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

function Group({ title, icon, children }: { title: string; icon?: ReactNode; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 flex items-center gap-2 text-sm font-semibold">
        {icon}
        {title}
      </h3>
      {children}
    </section>
  );
}

function List({ lines }: { lines: string[] }) {
  return (
    <ul className="list-disc space-y-1 pl-5 text-sm">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
