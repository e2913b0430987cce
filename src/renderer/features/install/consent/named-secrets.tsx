import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Consent } from "../../../../contract/job.ts";
import { cx } from "../../../ui/class-names.ts";

interface NamedSecretsProps {
  secrets: Consent["secrets"];
  /** Whether walls hold the plugin, so that a secret can be kept from it. */
  enforced: boolean;
}

/** The secrets that a plugin names, each with who gets its value, and the other plugins that name the same one. */
export function NamedSecrets({ secrets, enforced }: NamedSecretsProps) {
  const { t } = useTranslation();
  return (
    <ul className="space-y-2 text-sm">
      {secrets.map(({ key, label, optional, alsoNamedBy, sentOnlyTo }) => (
        <li key={key} className="flex items-start gap-2.5">
          <KeyRound className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />
          <span className="min-w-0 break-words">
            {label} {label !== key && <span className="figure text-mute">{key}</span>}
            {optional && <span className="text-mute"> · {t("consent.secretOptional")}</span>}
            {sentOnlyTo && (
              <span className={cx("block", enforced ? "text-ok" : "text-warn")}>
                {t(enforced ? "consent.secretPutIn" : "consent.secretNotPutIn", {
                  hosts: sentOnlyTo.join(", "),
                })}
              </span>
            )}
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
