import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Consent } from "../../../../contract/job.ts";

/** The secrets that a plugin names, each with the other plugins that name the same one. */
export function NamedSecrets({ secrets }: { secrets: Consent["secrets"] }) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-2 text-sm">
      {secrets.map(({ key, label, optional, alsoNamedBy }) => (
        <li key={key} className="flex items-start gap-2.5">
          <KeyRound className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />
          <span className="min-w-0 break-words">
            {label} {label !== key && <span className="figure text-mute">{key}</span>}
            {optional && <span className="text-mute"> · {t("consent.secretOptional")}</span>}
            {alsoNamedBy.length > 0 && (
              <span className="block text-warn">
                {t("consent.secretShared", { names: alsoNamedBy.join(", ") })}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
