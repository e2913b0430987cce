import { CircleCheck, CircleHelp, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { LanguageTrial, LanguageTrouble } from "../../../../contract/procedures/languages.ts";
import { formatMs } from "../../../base/i18n/time.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";

/** What came when a server was asked. */
export function Trial({ trial, files }: { trial: LanguageTrial; files: readonly string[] }) {
  const { t } = useTranslation();
  switch (trial.outcome) {
    case "answered": {
      const { file, count, names, ms } = trial;
      const more = count - names.length;
      return (
        <Line icon={<CircleCheck className="mt-0.5 size-4 shrink-0 text-ok" aria-hidden="true" />}>
          <p className="font-medium">{t("code.answered", { file, count, time: formatMs(ms) })}</p>
          {names.length > 0 && (
            <p className="figure break-words text-mute">
              {names.join(", ")}
              {more > 0 && t("code.more", { count: more })}
            </p>
          )}
        </Line>
      );
    }
    case "noFile":
      return (
        <Line icon={<CircleHelp className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />}>
          <p>{t("code.noFile", { ends: files.join(", ") })}</p>
        </Line>
      );
    case "failed":
      return <Trouble trouble={trial.trouble} file={trial.file} />;
  }
}

/** Why a server does not work, with what it said itself folded below. */
export function Trouble({ trouble, file }: { trouble: LanguageTrouble; file?: string }) {
  const { t } = useTranslation();
  return (
    <Line icon={<CircleX className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />}>
      <p className="font-medium">{t(`code.trouble.${trouble.why}`)}</p>
      <p className="text-mute">{t(`code.troubleHelp.${trouble.why}`)}</p>
      {file !== undefined && <p className="text-mute">{t("code.askedAbout", { file })}</p>}
      {trouble.text !== "" && (
        <details className="mt-1.5">
          <summary className="w-fit rounded-sm text-xs text-mute hover:text-ink">
            {t("problem.details")}
          </summary>
          <div className="mt-2 rounded-md border border-line bg-surface">
            <pre
              lang="en"
              tabIndex={0}
              className="figure max-h-52 overflow-auto px-3 py-2 whitespace-pre-wrap break-words"
            >
              {trouble.text}
            </pre>
            <div className="flex justify-end border-t border-line px-1 py-1">
              <CopyButton text={() => trouble.text} />
            </div>
          </div>
        </details>
      )}
    </Line>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-2 flex items-start gap-2.5 rounded-md border border-line bg-sunk px-3 py-2 text-sm">
      {icon}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
