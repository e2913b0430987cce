import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { Advisory, PluginSource, Trust } from "../../../contract/plugin.ts";

/** What could be proven of a package, for the consent card and the plugin page; empty when nothing is known. */
export function vouchedFacts(
  { vouched, signatureUnchecked }: Pick<PluginSource, "vouched" | "signatureUnchecked">,
  t: TFunction,
): { label: string; value: ReactNode }[] {
  const ofBundle = {
    label: t("vouched.signature"),
    value: <span className="text-warn">{t("vouched.signature.notChecked")}</span>,
  };
  if (!vouched) return signatureUnchecked ? [ofBundle] : [];
  const { signature, provenance, withoutIntegrity, advisories } = vouched;
  const proven = provenance.status === "verified" && !provenance.repository ? "unchecked" : provenance.status;
  return [
    signatureUnchecked
      ? ofBundle
      : { label: t("vouched.signature"), value: t(`vouched.signature.${signature}`) },
    {
      label: t("vouched.provenance"),
      value: t(`vouched.provenance.${proven}`, { repository: provenance.repository ?? "" }),
    },
    ...(withoutIntegrity.length > 0
      ? [
          {
            label: t("vouched.withoutIntegrity"),
            value: <span className="figure break-all">{withoutIntegrity.join(", ")}</span>,
          },
        ]
      : []),
    { label: t("vouched.advisories"), value: advisoryWords(advisories, t) },
  ];
}

interface Named {
  publisher: string | undefined;
  source: PluginSource;
  trust: Trust;
}

/** Whose it is, and whether anybody but the package says so. A row for `Facts`; none when nobody is named. */
export function publisherFacts({ publisher, source, trust }: Named, t: TFunction) {
  const vouched = source.vouched?.publisher;
  const name = vouched ?? publisher;
  if (name === undefined) return [];
  const label = t("consent.publisher");
  if (trust === "built-in") return [{ label, value: name }];
  // The name of a server is proven to its registry by whoever publishes it.
  const isProven = vouched === undefined && source.kind === "mcp-registry";
  const isVerified = vouched !== undefined;
  const words = isProven
    ? "servers.proven"
    : isVerified
      ? "vouched.publisher.verified"
      : "vouched.publisher.said";
  return [
    {
      label,
      value: (
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <bdi className="break-words">{name}</bdi>
          <span className={isProven ? "text-mute" : isVerified ? "text-ok" : "text-warn"}>{t(words)}</span>
        </span>
      ),
    },
  ];
}

function advisoryWords(advisories: readonly Advisory[] | null, t: TFunction): ReactNode {
  if (advisories === null) return t("vouched.advisories.unchecked");
  if (advisories.length === 0) return t("vouched.advisories.none");
  return (
    <ul>
      {advisories.map((advisory) => (
        <li key={`${advisory.packageName} ${advisory.title} ${advisory.range}`}>
          {t(`vouched.severity.${advisory.severity}`)}: {advisory.packageName} {advisory.range},{" "}
          {advisory.title}
        </li>
      ))}
    </ul>
  );
}
