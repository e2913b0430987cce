import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { descriptionOf } from "../../base/i18n/plugin-words.ts";
import { discoverPath, useAgentId } from "../../base/routes.ts";
import { useCatalogue } from "../../features/catalogue/use-catalogue.ts";
import { JobStrip } from "../../features/install/job-strip.tsx";
import { panels } from "../../store/panels.ts";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { EmptyState } from "../../ui/empty/empty-state.tsx";
import { Face } from "../../ui/face.tsx";
import { PatchDrawing } from "../../ui/patch/patch-drawing.tsx";

const most = 3;

/** No plugin yet: three of those that come with Patchbay, and the way to any other. */
export function EmptyHome({ agentName }: { agentName: string }) {
  const { t } = useTranslation();
  const agentId = useAgentId();
  const { entries } = useCatalogue("");
  const suggested = entries
    .filter((entry) => entry.trust === "built-in" && !entry.installedVersion)
    .slice(0, most);

  return (
    <div className="min-h-0 flex-1 overflow-y-auto page-x py-6">
      <JobStrip />
      <div className="mx-auto mt-[2vh] max-w-[640px]">
        <EmptyState
          size="page"
          as="h2"
          drawing={<PatchDrawing layout="empty" health="needs_setup" runtime="native" />}
          title={t("empty.title", { agent: agentName })}
          text={t("empty.text")}
          action={
            <>
              <Button
                look="accent"
                icon={<Plus className="size-4" aria-hidden="true" />}
                onClick={() => panels.openInstall()}
              >
                {t("plugins.add")}
              </Button>
              <Link
                to={discoverPath(agentId)}
                className="inline-flex h-8 items-center rounded-md border border-line-strong bg-surface px-3 text-sm font-semibold transition-colors hover:border-faint hover:bg-sunk"
              >
                {t("empty.discover")}
              </Link>
            </>
          }
        />
        {suggested.length > 0 && (
          <section aria-label={t("empty.suggested")}>
            <h3 className="mb-2.5 text-sm font-semibold text-mute">{t("empty.suggested")}</h3>
            <ul className="space-y-2.5">
              {suggested.map((entry) => (
                <li
                  key={entry.spec}
                  className="flex items-center gap-4 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
                >
                  <Face
                    seed={entry.manifestKey ?? entry.packageName}
                    name={entry.displayName}
                    icon={entry.icon}
                    ours={entry.trust === "built-in"}
                  />
                  <div className="min-w-0 flex-1">
                    <div className="flex flex-wrap items-center gap-2">
                      <span className="font-semibold">{entry.displayName}</span>
                      {entry.capabilities && <CapabilityBadges capabilities={entry.capabilities} />}
                    </div>
                    <p className="text-sm text-mute">{descriptionOf(entry)}</p>
                  </div>
                  <Button
                    aria-label={t("install.installName", { name: entry.displayName })}
                    onClick={() => panels.openInstall(entry.spec)}
                  >
                    {t("install.install")}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}
