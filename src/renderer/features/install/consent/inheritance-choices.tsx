import { History } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Consent, Inherit } from "../../../../contract/job.ts";
import { Choice, Group } from "./parts.tsx";

interface InheritanceChoicesProps {
  inheritance: NonNullable<Consent["inheritance"]>;
  inherit: Inherit;
  onInherit(inherit: Inherit): void;
}

/** What another package under the same key left behind: taken over only where the person ticks it. */
export function InheritanceChoices({ inheritance, inherit, onInherit }: InheritanceChoicesProps) {
  const { t } = useTranslation();
  const { packageName, settings, rules, secrets } = inheritance;
  const tick = (part: keyof Inherit) => (on: boolean) => onInherit({ ...inherit, [part]: on });
  return (
    <section className="rounded-lg border border-warn/35 bg-warn-wash px-4 py-3">
      <Group
        title={t("inherit.title", { name: packageName })}
        icon={<History className="size-4 text-warn" aria-hidden="true" />}
      >
        <p className="mb-3 text-sm text-pretty text-mute">{t("inherit.text")}</p>
        <div className="space-y-2">
          {settings > 0 && (
            <Choice checked={inherit.settings} onChange={tick("settings")}>
              {t("inherit.settings", { count: settings })}
            </Choice>
          )}
          {rules > 0 && (
            <Choice checked={inherit.rules} onChange={tick("rules")}>
              {t("inherit.rules", { count: rules })}
            </Choice>
          )}
          {secrets.length > 0 && (
            <Choice checked={inherit.secrets} onChange={tick("secrets")}>
              {t("inherit.secrets", { count: secrets.length })}{" "}
              <span className="figure break-all text-mute">{secrets.join(", ")}</span>
            </Choice>
          )}
        </div>
      </Group>
    </section>
  );
}
