import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { FoundPlugin } from "../../../../contract/found/found.ts";
import { problemLine } from "../../../base/i18n/problem-words.ts";
import { pluginPath } from "../../../base/routes.ts";
import { startInstall } from "../../../features/install/start-install.ts";
import { useRuntimeName } from "../../../model/runtimes.ts";
import { useAction } from "../../../ui/action.ts";
import { RuntimeBadge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/controls/button.tsx";
import { Face } from "../../../ui/face.tsx";
import { EntryJack } from "../../../ui/patch/jack.tsx";
import { FoundMark } from "./found-mark.tsx";

/** One plugin of another program: how it stands there, and the ways to have it here. */
export function HereCard({ agentId, plugin }: { agentId: string; plugin: FoundPlugin }) {
  const { t } = useTranslation();
  const { runtime, key, name, version, description, place, dir, spec, status, theirs, installed } = plugin;
  const system = useRuntimeName(runtime);
  const why = useWhy(plugin, system);
  return (
    <article
      aria-label={name}
      data-found={status}
      className="relative flex h-full flex-col rounded-lg border border-line bg-surface px-4 pt-3.5 pb-3 pl-5 shadow-card"
    >
      <EntryJack runtime={runtime} installed={installed !== null} />
      <div className="flex min-h-0 flex-1 gap-3.5">
        <Face seed={key} name={name} faded={status === "error" || status === "unsupported"} />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="max-w-full truncate text-base font-semibold">{name}</h2>
            <RuntimeBadge runtime={runtime} />
            <FoundMark status={status} />
          </div>
          {description !== "" && <p className="mt-1 line-clamp-2 text-sm text-mute">{description}</p>}
          <p className="mt-1.5 text-sm break-words">{why}</p>
          {theirs !== null && (
            <p className="mt-0.5 text-xs break-words text-mute">
              {t("here.theirs", { system })}{" "}
              <span lang="en" className="figure">
                {theirs}
              </span>
            </p>
          )}
          <p className="figure mt-1.5 text-xs break-all text-hint">{dir ?? spec}</p>
        </div>
      </div>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-2.5 gap-y-2 pl-[54px]">
        <span className="min-w-0 flex-1 truncate text-xs text-hint">
          {[t(`here.place.${place}`, { system }), version].filter(Boolean).join(" · ")}
        </span>
        {installed === null ? (
          <Ways plugin={plugin} />
        ) : (
          <>
            <span className="inline-flex items-center gap-1 text-xs font-medium text-ok">
              <Check className="size-3.5" aria-hidden="true" />
              {t("discover.installed")}
            </span>
            <Link
              to={pluginPath(agentId, installed)}
              aria-label={t("discover.openName", { name })}
              className="inline-flex h-7 items-center rounded-md border border-line-strong px-2.5 text-xs font-semibold hover:bg-sunk"
            >
              {t("discover.open")}
            </Link>
          </>
        )}
      </div>
    </article>
  );
}

/** What can be installed. A folder can be used where it lies as well; what is broken has to be mended first. */
function Ways({ plugin: { name, spec, dir, status } }: { plugin: FoundPlugin }) {
  const { t } = useTranslation();
  const install = useAction(startInstall);
  const link = useAction(startInstall);
  if (status === "error" || status === "unsupported") return null;
  const problem = install.problem ?? link.problem;
  return (
    <>
      {problem && <span className="w-full text-sm text-bad">{problemLine(problem)}</span>}
      {spec === dir && (
        <Button
          size="sm"
          look="quiet"
          busy={link.busy}
          title={t("here.linkHelp")}
          aria-label={t("here.linkName", { name })}
          onClick={() => void link.act(spec, { link: true })}
        >
          {t("here.link")}
        </Button>
      )}
      <Button
        size="sm"
        busy={install.busy}
        aria-label={t("discover.installName", { name })}
        onClick={() => void install.act(spec)}
      >
        {t("install.install")}
      </Button>
    </>
  );
}

/** Why it is loaded there or not, in a sentence. */
function useWhy({ status, reason, lostTo = "" }: FoundPlugin, system: string): string {
  const { t } = useTranslation();
  switch (status) {
    case "enabled":
    case "disabled":
    case "available":
      return t(`here.why.${status}`, { system });
    case "overridden":
      return t("here.why.overridden", { system, folder: lostTo });
    case "error":
      return reason ?? t("here.why.error", { system });
    case "unsupported":
      return reason ?? t("here.why.unsupported", { system });
  }
}
