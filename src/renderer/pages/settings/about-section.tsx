import { useTranslation } from "react-i18next";
import { problemLine } from "../../base/i18n/problem-words.ts";
import { formatBytes, formatMoment } from "../../base/i18n/time.ts";
import { sealedWith } from "../../base/i18n/vault-words.ts";
import { useMirror } from "../../store/mirror.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Block, Facts } from "../../ui/well.tsx";
import { useUsedSpace } from "./use-used-space.ts";

/** Put in by the build. */
declare const __LIBRARIES__: readonly [name: string, licence: string][];

const platformNames: Record<string, string> = { linux: "Linux", darwin: "macOS", win32: "Windows" };

export function AboutSection() {
  const { t } = useTranslation();
  const info = useMirror((state) => state.info);
  const vault = useMirror((state) => state.vault);
  if (!info || !vault) return null;
  const { folder } = info;
  return (
    <div className="space-y-4">
      <Block
        title="Patchbay"
        action={<CopyButton className="-mr-2.5" label={t("about.copyFolder")} text={() => folder} />}
      >
        <Facts
          facts={[
            { label: t("about.version"), value: info.version },
            { label: t("about.shell"), value: t(`about.shell.${info.shell}`) },
            { label: t("about.node"), value: info.node },
            { label: t("about.platform"), value: platformNames[info.platform] ?? info.platform },
            {
              label: t("about.vault"),
              value: vault.open ? sealedWith(vault.backend) : t("about.vaultClosed"),
            },
            { label: t("about.folder"), value: <span className="font-mono text-sm">{folder}</span> },
            { label: t("about.usedSpace"), value: <UsedSpace /> },
            { label: t("about.started"), value: formatMoment(info.startedAt) },
          ]}
        />
      </Block>
      <Block title={t("about.licence")}>
        <p className="text-sm">{t("about.licenceText")}</p>
        <h3 className="mt-3.5 mb-1.5 text-xs font-medium text-mute">{t("about.libraries")}</h3>
        <ul className="columns-1 gap-x-6 text-sm @lg:columns-2">
          {__LIBRARIES__.map(([name, licence]) => (
            <li key={name} className="flex justify-between gap-3 py-0.5">
              <span className="min-w-0 truncate">{name}</span>
              <span className="shrink-0 text-mute">{licence}</span>
            </li>
          ))}
        </ul>
      </Block>
    </div>
  );
}

function UsedSpace() {
  const { t } = useTranslation();
  const { used, problem } = useUsedSpace();
  if (problem) return problemLine(problem);
  if (!used) return t("about.counting");
  const amount = (bytes: number) => formatBytes(bytes, 1_000);
  return t("about.usedSpaceParts", { total: amount(used.total), sessions: amount(used.sessions) });
}
