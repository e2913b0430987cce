import { useTranslation } from "react-i18next";
import type { CatalogEntry } from "../../../contract/job.ts";
import { startInstall } from "../../features/install/start-install.ts";
import { useAction } from "../../ui/action.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { Block } from "../../ui/well.tsx";

/** The ways in which a server of a registry can be had. The first is taken; any other one can be chosen. */
export function ResultWays({ entry, isInstalled }: { entry: CatalogEntry; isInstalled: boolean }) {
  const { t } = useTranslation();
  const install = useAction(startInstall);
  const { ways = [], advice, spec } = entry;
  if (ways.length === 0) return null;
  const canInstall = !isInstalled && advice?.status !== "withdrawn";
  return (
    <Block title={t("servers.ways")}>
      {install.problem && <ProblemNote className="mb-3" problem={install.problem} />}
      <ul className="divide-y divide-line">
        {ways.map((way, index) => (
          <li key={way} className="flex items-center gap-3 py-2 text-sm first:pt-0 last:pb-0">
            <span className="min-w-0 flex-1">
              {t(`servers.way.${way}`)} {index === 0 && ways.length > 1 && <Badge>{t("servers.best")}</Badge>}
            </span>
            {index > 0 && canInstall && (
              <Button
                size="sm"
                look="quiet"
                className="-mr-2.5"
                busy={install.busy}
                aria-label={t("servers.takeWayName", {
                  take: t("servers.takeWay"),
                  way: t(`servers.way.${way}`),
                })}
                onClick={() => void install.act(`${spec}#${way}`)}
              >
                {t("servers.takeWay")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}
