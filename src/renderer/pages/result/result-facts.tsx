import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Asks } from "../../../contract/asks.ts";
import type { CatalogEntry, PackageDetails } from "../../../contract/job.ts";
import type { Capabilities } from "../../../contract/plugin.ts";
import { sourceName } from "../../features/catalogue/source-name.ts";
import { hookSentenceKey } from "../../model/hook-words.ts";
import { permissionLines } from "../../model/permission-lines.ts";
import { AsksList } from "../../ui/asks/asks-list.tsx";
import { TrustBadge } from "../../ui/badge.tsx";
import { Block, Facts } from "../../ui/well.tsx";

export function Brings({ capabilities }: { capabilities: Capabilities | null }) {
  const { t } = useTranslation();
  const lines = useSentences(capabilities);
  return (
    <Block title={t("found.brings")}>
      {lines.length === 0 ? (
        <p className="text-sm text-mute">{t("found.bringsUnknown")}</p>
      ) : (
        <ul className="space-y-2 text-sm">
          {lines.map((line) => (
            <li key={line} className="flex gap-2.5">
              <span className="mt-[7px] size-1.5 shrink-0 rounded-full bg-accent" aria-hidden="true" />
              <span className="min-w-0 break-words">{line}</span>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}

function useSentences(capabilities: Capabilities | null): string[] {
  const { t } = useTranslation();
  if (!capabilities) return [];
  const { tools, channel, hooks, commands, skills, providers, shortcuts } = capabilities;
  const named = (names: string[]) => names.join(", ");
  const lines: (string | false | undefined)[] = [
    tools &&
      (tools.namespace === undefined
        ? t("found.anyTools")
        : tools.count === undefined
          ? t("found.tools", { namespace: tools.namespace })
          : t("found.toolsCount", { count: tools.count, namespace: tools.namespace })),
    channel && t(channel.hasSetup ? "found.channelSetup" : "found.channel"),
    ...(hooks?.events.map((event) => t(hookSentenceKey(event))) ?? []),
    commands &&
      (commands.names.length > 0
        ? t("found.commands", { names: commands.names.map((name) => `/${name}`).join(", ") })
        : t("found.commandsUnnamed")),
    skills && t("found.skills", { names: named(skills.names) }),
    providers && t("found.providers", { names: named(providers.names) }),
    shortcuts && t("found.shortcuts", { names: named(shortcuts.names) }),
  ];
  return lines.filter((line) => typeof line === "string");
}

/** What it says of itself: a page of the catalogue enforces nothing. */
export function AsksFor({ asks }: { asks: Asks | null }) {
  const { t } = useTranslation();
  return (
    <Block title={t("found.asks")}>
      {asks === null || !asks.declared ? (
        <p className="text-sm text-mute">{t("found.asksUnknown")}</p>
      ) : (
        <AsksList lines={permissionLines({ ...asks, enforced: false })} />
      )}
    </Block>
  );
}

export function Origin({ entry, details }: { entry: CatalogEntry; details: PackageDetails | null }) {
  const { t } = useTranslation();
  const publisher = entry.publisher ?? details?.publisher;
  const homepage = entry.homepage ?? details?.homepage;
  const facts: { label: string; value: ReactNode }[] = [
    {
      label: t("found.trust"),
      value: (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TrustBadge trust={entry.trust} />
          <span className="text-mute">{t(`trust.${entry.trust}.help`)}</span>
        </span>
      ),
    },
    {
      label: t("found.publisher"),
      value: publisher ? (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="break-words">{publisher}</bdi>
          {entry.trust !== "built-in" && (
            <span className="text-mute">{t(entry.ways ? "servers.proven" : "found.publisherSaid")}</span>
          )}
        </span>
      ) : (
        <span className="text-mute">{t("found.publisherUnknown")}</span>
      ),
    },
    { label: t("found.source"), value: sourceName(entry.source) },
    { label: t("found.package"), value: <span className="figure break-all">{entry.packageName}</span> },
    ...(details?.license ? [{ label: t("found.license"), value: details.license }] : []),
    ...(homepage
      ? [
          {
            label: t("found.homepage"),
            value: (
              <a
                href={homepage}
                target="_blank"
                rel="noreferrer"
                className="rounded-sm break-all underline decoration-line-strong underline-offset-3 hover:decoration-accent"
              >
                {homepage}
              </a>
            ),
          },
        ]
      : []),
  ];
  return (
    <Block title={t("found.from")}>
      <Facts facts={facts} />
    </Block>
  );
}
