import { useTranslation } from "react-i18next";
import type { PluginView } from "../../../../contract/plugin.ts";
import { formatMoment } from "../../../base/i18n/time.ts";
import { pageFacts } from "../../../features/about/public.ts";
import { publisherFacts, vouchedFacts } from "../../../features/install/vouched-facts.tsx";
import { sourceWord } from "../../../model/runtimes.ts";
import { TrustBadge } from "../../../ui/badge.tsx";
import { OutsideLink } from "../../../ui/controls/outside-link.tsx";
import { Block, Facts } from "../../../ui/well.tsx";

export function SourceFacts({ plugin }: { plugin: PluginView }) {
  const { t } = useTranslation();
  const { source, declaration } = plugin;
  const facts = [
    { label: t("consent.trust"), value: <TrustBadge trust={plugin.trust} /> },
    ...publisherFacts({ publisher: declaration.publisher, source, trust: plugin.trust }, t),
    { label: t("page.package"), value: <span className="figure break-all">{plugin.packageName}</span> },
    {
      label: t("consent.source"),
      value: (
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span>{t(sourceWord(source))}</span>
          <span className="figure break-all text-mute">{source.resolved ?? source.spec}</span>
        </span>
      ),
    },
    {
      label: t("consent.integrity"),
      value: (
        <span className="figure break-all text-mute">
          {source.kind === "link"
            ? t("page.linkUnchecked")
            : (source.integrity ?? source.treeHash ?? t("consent.noIntegrity"))}
        </span>
      ),
    },
    ...vouchedFacts(source, t),
    { label: t("page.installed"), value: formatMoment(source.installedAt) },
    ...(declaration.license ? [{ label: t("page.license"), value: declaration.license }] : []),
    ...(declaration.homepage
      ? [{ label: t("page.homepage"), value: <OutsideLink href={declaration.homepage} /> }]
      : []),
    ...(declaration.helpUrl
      ? [{ label: t("page.help"), value: <OutsideLink href={declaration.helpUrl} /> }]
      : []),
    ...pageFacts(declaration.about, t),
  ];
  return (
    <Block title={t("page.about")}>
      <Facts facts={facts} />
    </Block>
  );
}
