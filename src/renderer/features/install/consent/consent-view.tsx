import { ArrowRight, ShieldAlert, Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Grants } from "../../../../contract/grants.ts";
import type { Consent, Inherit } from "../../../../contract/job.ts";
import { growthLines } from "../../../base/i18n/growth-words.ts";
import { permissionLines } from "../../../model/permission-lines.ts";
import { useMirror } from "../../../store/mirror.ts";
import { AskedCommands, AskedHooks } from "../../../ui/asks/asked-programs.tsx";
import { AsksList } from "../../../ui/asks/asks-list.tsx";
import { InsightList, RiskBadge } from "../../../ui/asks/insight-list.tsx";
import { StartsList } from "../../../ui/asks/starts.tsx";
import { RuntimeBadge } from "../../../ui/badge.tsx";
import { CapabilityBadges } from "../../../ui/capability-badges.tsx";
import { OutsideLink } from "../../../ui/controls/outside-link.tsx";
import { Facts } from "../../../ui/well.tsx";
import { OwnWords, pageFacts } from "../../about/public.ts";
import { vouchedFacts } from "../vouched-facts.tsx";
import { FolderChoices, GrantChoices } from "./grant-choices.tsx";
import { HeldNote } from "./held-note.tsx";
import { InheritanceChoices } from "./inheritance-choices.tsx";
import { NamedSecrets } from "./named-secrets.tsx";
import { Choice, Group, List } from "./parts.tsx";
import { useSourceFacts } from "./source-facts.tsx";
import { Alarms, riskWords, Warnings } from "./warnings.tsx";

/** What the person agrees to besides the installation itself. */
export interface Agreed {
  allowScripts: boolean;
  acceptRisk: boolean;
  inherit: Inherit;
  /** Absent: what the question proposes. */
  grants?: Grants;
}

export const nothingAgreed: Agreed = {
  allowScripts: false,
  acceptRisk: false,
  inherit: { settings: false, rules: false, secrets: false },
};

interface ConsentViewProps {
  consent: Consent;
  question: "install" | "more";
  agreed: Agreed;
  onAgree(agreed: Agreed): void;
}

/**
 * What to know before agreeing to an installation: what it replaces, who made the plugin, where it comes from, what it
 * adds, what it asks for, and which limits it runs under. For an update that asks for nothing more that is one line,
 * with the rest folded below.
 */
export function ConsentView(props: ConsentViewProps) {
  const { t } = useTranslation();
  const { consent, question, agreed, onAgree } = props;
  const isUpdate = consent.replaces !== undefined && consent.takesPlaceOf === undefined;
  const quiet = isUpdate && consent.changes.length === 0 && question === "install";
  return (
    <div className="space-y-5">
      {question === "more" && (
        <p className="flex items-start gap-3 rounded-lg border border-bad/35 bg-bad-wash px-4 py-3 text-sm">
          <ShieldAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />
          {t("more.text")}
        </p>
      )}
      {question === "install" && consent.replaces !== undefined && (
        <Replaces consent={consent} from={consent.replaces} />
      )}
      <Alarms consent={consent} />
      {consent.changes.length > 0 && (question === "more" || isUpdate) && (
        <Group
          title={t(question === "more" ? "more.changes" : "consent.changes")}
          icon={<Sparkles className="size-4 text-accent" aria-hidden="true" />}
        >
          <List lines={growthLines(consent, t).map((text) => ({ text }))} />
        </Group>
      )}
      {question === "install" && consent.inheritance && (
        <InheritanceChoices
          inheritance={consent.inheritance}
          inherit={agreed.inherit}
          onInherit={(inherit) => onAgree({ ...agreed, inherit })}
        />
      )}
      {quiet ? (
        <details className="text-sm">
          <summary className="w-fit rounded-sm text-mute hover:text-ink">{t("consent.everything")}</summary>
          <div className="mt-4 space-y-5">
            <Everything {...props} />
          </div>
        </details>
      ) : (
        <Everything {...props} />
      )}
      <Choices {...props} />
    </div>
  );
}

function Replaces({ consent, from }: { consent: Consent; from: string }) {
  const { t } = useTranslation();
  if (consent.takesPlaceOf)
    return (
      <p className="rounded-lg border border-warn/35 bg-warn-wash px-5 py-4 text-sm text-pretty">
        {t("consent.takesPlace", { name: consent.takesPlaceOf.displayName, version: from })}{" "}
        <span className="figure wrap-anywhere text-mute">{consent.takesPlaceOf.packageName}</span>
      </p>
    );
  const more = consent.changes.length > 0;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-sunk px-5 py-4 text-sm">
      <span className="figure text-mute">{from}</span>
      <ArrowRight className="size-4 text-hint" aria-hidden="true" />
      <span className="sr-only">{t("consent.becomes")}</span>
      <span className="figure font-semibold">{consent.packageVersion}</span>
      <span className={more ? "text-warn" : "text-mute"}>
        {t(more ? "consent.asksMore" : "consent.asksNothingMore")}
      </span>
    </div>
  );
}

function Everything({ consent, agreed, onAgree }: ConsentViewProps) {
  const { t } = useTranslation();
  const sourceFacts = useSourceFacts(consent);
  const { enforced, commands = [], hooks = [], insights, starts } = consent.asks;
  return (
    <>
      <Facts
        facts={[
          ...sourceFacts,
          // What is reached at an address is no file.
          ...(starts?.way === "address"
            ? []
            : [
                {
                  label: t("consent.integrity"),
                  value: consent.source.integrity ? (
                    <span className="figure break-all">{consent.source.integrity}</span>
                  ) : (
                    <span className="text-mute">{t("consent.noIntegrity")}</span>
                  ),
                },
              ]),
          ...vouchedFacts(consent.source, t),
          {
            label: t("consent.brings"),
            value: (
              <span className="flex flex-wrap items-center gap-1.5">
                <RuntimeBadge runtime={consent.runtime} />
                <CapabilityBadges capabilities={consent.capabilities} />
              </span>
            ),
          },
          { label: t("consent.read"), value: t(`consent.read.${consent.readFrom}`) },
          ...(consent.homepage
            ? [{ label: t("page.homepage"), value: <OutsideLink href={consent.homepage} /> }]
            : []),
          ...pageFacts(consent.about, t),
        ]}
      />
      {consent.about?.longDescription && <OwnWords text={consent.about.longDescription} />}
      {starts && (
        <Group title={t(`starts.${starts.way}`)}>
          <StartsList starts={starts} />
        </Group>
      )}
      {insights && (
        <Group title={t("risk.title")} mark={<RiskBadge insights={insights} />}>
          <InsightList insights={insights} />
        </Group>
      )}
      {enforced && consent.grants ? (
        <Group title={t("consent.grants")}>
          <GrantChoices
            asks={consent.asks}
            grants={agreed.grants ?? consent.grants}
            onGrants={(grants) => onAgree({ ...agreed, grants })}
          />
        </Group>
      ) : (
        <Group title={t("consent.permissions")}>
          <AsksList lines={permissionLines(consent.asks)} />
          {consent.grants && (
            <FolderChoices
              asks={consent.asks}
              grants={agreed.grants ?? consent.grants}
              onGrants={(grants) => onAgree({ ...agreed, grants })}
            />
          )}
        </Group>
      )}
      <HeldNote consent={consent} />
      {commands.length > 0 && (
        <Group title={t("asked.commands")}>
          <AskedCommands commands={commands} />
        </Group>
      )}
      {hooks.length > 0 && (
        <Group title={t("asked.hooks")}>
          <AskedHooks hooks={hooks} />
        </Group>
      )}
      {consent.secrets.length > 0 && (
        <Group title={t("consent.secrets")}>
          <NamedSecrets secrets={consent.secrets} enforced={enforced} />
        </Group>
      )}
      <Warnings consent={consent} />
    </>
  );
}

/** What can be agreed to besides. At the question about more, that was answered before. */
function Choices({ consent, question, agreed, onAgree }: ConsentViewProps) {
  const { t } = useTranslation();
  const walled = useMirror((state) => state.walls?.stands === true);
  if (question === "more") return null;
  return (
    <>
      {consent.hasScripts && (
        <Choice
          checked={agreed.allowScripts}
          onChange={(allowScripts) => onAgree({ ...agreed, allowScripts })}
        >
          {t("consent.scripts")}{" "}
          <span className="text-mute">{t(walled ? "consent.scriptsWalled" : "consent.scriptsHelp")}</span>
          {consent.asks.scripts.map(({ name, command }) => (
            <code key={name} className="figure mt-1 block break-all">
              {name}: {command}
            </code>
          ))}
        </Choice>
      )}
      {consent.risk && (
        <div className="rounded-lg border border-warn/35 bg-warn-wash px-4 py-3">
          <Choice checked={agreed.acceptRisk} onChange={(acceptRisk) => onAgree({ ...agreed, acceptRisk })}>
            {riskWords(consent, t)} <strong>{t("consent.acceptRisk")}</strong>
          </Choice>
        </div>
      )}
    </>
  );
}
