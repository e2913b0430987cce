import { FolderLock, GlobeLock, ScanEye, ScrollText, ShieldAlert, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FirstLook } from "../../../../contract/job.ts";
import { Facts } from "../../../ui/well.tsx";
import { useSourceFacts } from "./source-facts.tsx";

/** The first question about a package that does not say what it is: may it be started, walled in, to see? */
export function FirstLookView({ look }: { look: FirstLook }) {
  const { t } = useTranslation();
  const sourceFacts = useSourceFacts(look);
  return (
    <div className="space-y-5">
      <section
        className={
          look.walled
            ? "rounded-lg border border-line bg-sunk px-5 py-4"
            : "rounded-lg border border-warn/35 bg-warn-wash px-5 py-4"
        }
      >
        <p className="flex items-start gap-3 text-sm font-semibold">
          {look.walled ? (
            <ScanEye className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden="true" />
          ) : (
            <ShieldAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
          )}
          {t(look.walled ? "look.walled" : "look.open")}
        </p>
        {look.walled && (
          <ul className="mt-3 grid gap-x-6 gap-y-2 pl-7 text-sm text-mute @lg:grid-cols-2">
            <Held icon={<GlobeLock className={icon} aria-hidden="true" />}>{t("look.noNetwork")}</Held>
            <Held icon={<FolderLock className={icon} aria-hidden="true" />}>{t("look.noFiles")}</Held>
            <Held icon={<SquareTerminal className={icon} aria-hidden="true" />}>{t("look.noPrograms")}</Held>
            <Held icon={<ScrollText className={icon} aria-hidden="true" />}>{t("look.noScripts")}</Held>
          </ul>
        )}
        {!look.walled && <p className="mt-2 pl-7 text-sm text-mute">{t("look.openHelp")}</p>}
      </section>
      <Facts
        facts={[
          ...sourceFacts,
          { label: t("look.version"), value: <span className="figure">{look.packageVersion}</span> },
        ]}
      />
      <p className="text-sm text-mute">{t("look.next")}</p>
    </div>
  );
}

const icon = "mt-0.5 size-4 shrink-0";

function Held({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2.5">
      {icon}
      <span>{children}</span>
    </li>
  );
}
