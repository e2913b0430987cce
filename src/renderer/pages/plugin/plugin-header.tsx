import { ArrowLeft, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Capabilities } from "../../../contract/plugin.ts";
import { homePath } from "../../base/routes.ts";
import { ReviewMark } from "../../features/offered/public.ts";
import { usePluginActions } from "../../features/plugins/use-plugin-actions.ts";
import { SetupBanner } from "../../features/setup/setup-banner.tsx";
import { healthOf } from "../../model/health.ts";
import { displayName, type Row } from "../../model/rows.ts";
import { useMirror } from "../../store/mirror.ts";
import { RuntimeBadge, TrustBadge } from "../../ui/badge.tsx";
import { CapabilityBadges } from "../../ui/capability-badges.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Switch } from "../../ui/controls/switch.tsx";
import { Face } from "../../ui/face.tsx";
import { PatchDrawing } from "../../ui/patch/patch-drawing.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { StateMark } from "../../ui/state-mark.tsx";

/** The plugin with its cable, its state and its switch. */
export function PluginHeader({ row }: { row: Row }) {
  const { t } = useTranslation();
  const actions = usePluginActions(row.agentId, row.key);
  const agent = useMirror((state) => state.agents.get(row.agentId)?.name ?? row.agentId);
  const name = displayName(row);
  const health = healthOf(row);
  const canRestart = row.plugin !== null && (row.view?.enabled ?? false);

  return (
    <header className="page-x pt-4 pb-4">
      <Link
        to={homePath(row.agentId)}
        className="inline-flex items-center gap-1.5 rounded-sm text-sm text-mute hover:text-ink"
      >
        <ArrowLeft className="size-3.5" aria-hidden="true" />
        {t("page.back", { agent })}
      </Link>
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-3">
        <div className="flex items-center">
          <div className="@max-3xl/page:hidden">
            <PatchDrawing layout="header" health={health} runtime={row.plugin?.runtime ?? "native"} />
          </div>
          <Face
            seed={row.key}
            name={name}
            icon={row.plugin?.declaration.icon}
            ours={row.plugin?.source.kind === "builtin"}
            size="lg"
            faded={!row.plugin}
          />
        </div>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="title min-w-0 break-words">{name}</h1>
            {row.plugin && <RuntimeBadge runtime={row.plugin.runtime} />}
            {row.plugin && <TrustBadge trust={row.plugin.trust} />}
            {row.plugin && <span className="figure text-hint">{row.plugin.packageVersion}</span>}
          </div>
          <p className="mt-0.5 text-mute">{row.plugin?.description ?? t("page.uninstalled", { agent })}</p>
          {row.plugin && (
            <div className="mt-1.5 flex flex-wrap gap-1.5">
              <CapabilityBadges
                capabilities={{ ...row.plugin.capabilities, ...offeredNow(row) }}
                tools={row.view?.instance.contributions?.tools}
              />
              <ReviewMark agentId={row.agentId} pluginKey={row.key} count={row.plugin.toLookAt} />
            </div>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 @max-3xl/page:w-full">
          <StateMark health={health} />
          {canRestart && (
            <Button
              icon={<RotateCw className="size-3.5" aria-hidden="true" />}
              busy={actions.pending === "restart"}
              onClick={() => void actions.restart()}
            >
              {t("page.restart")}
            </Button>
          )}
          {!row.plugin && (
            <Button look="accent" onClick={() => actions.takeStep("reinstall")}>
              {t("step.reinstall")}
            </Button>
          )}
          {row.plugin && (
            <Switch
              checked={row.view?.enabled ?? false}
              onChange={(on) => void actions.setEnabled(on)}
              pending={actions.pending === "switch"}
              label={row.view?.enabled ? t("plugin.switchOff", { name }) : t("plugin.switchOn", { name })}
            />
          )}
        </div>
      </div>
      <SetupBanner row={row} className="mt-4" />
      {actions.problem && <ProblemNote className="mt-4" problem={actions.problem} />}
    </header>
  );
}

/** What only the running plugin says of what it brings. */
function offeredNow({ view }: Row): Capabilities {
  const { prompts, resources } = view?.instance.contributions ?? {};
  return {
    ...(prompts && { prompts: { names: prompts.map(({ name }) => name) } }),
    ...(resources && { resources: {} }),
  };
}
