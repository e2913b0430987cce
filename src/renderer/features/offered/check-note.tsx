import { Eye, Settings2, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { PluginView } from "../../../contract/plugin.ts";
import type { CheckView } from "../../../contract/tools/check.ts";
import { rpc } from "../../base/client/rpc.ts";
import { pluginPath } from "../../base/routes.ts";
import { openWizard } from "../../store/wizard-panel.ts";
import { useAction } from "../../ui/action.ts";
import { Button } from "../../ui/controls/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { FetchingNote } from "./fetching-note.tsx";

interface CheckNoteProps {
  agentId: string;
  plugin: PluginView;
  className?: string;
}

/**
 * What the start of a plugin showed of what it offers, before it is switched on: in short, or why that is not known and what
 * to do. Nothing where its files say it.
 */
export function CheckNote({ agentId, plugin, className }: CheckNoteProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const key = plugin.manifestKey;
  const looking = useAction(() => rpc.plugins.check({ key }));
  const { check } = plugin;
  if (!check) return null;
  if (looking.problem) return <ProblemNote className={className ?? ""} problem={looking.problem} />;
  const look = (words: string) => (
    <Button size="sm" look="accent" busy={looking.busy} onClick={() => void looking.act()}>
      {words}
    </Button>
  );
  switch (check.state) {
    case "running":
      return (
        <FetchingNote
          className={className ?? ""}
          text={t("check.running")}
          until={check.until}
          onWaitLonger={() => rpc.plugins.waitLonger({ key })}
        />
      );
    case "failed":
      return (
        <div className={className}>
          <p className="mb-2 text-sm text-mute">{t("check.failed")}</p>
          <ProblemNote tone="warn" problem={check.problem} action={look(t("check.again"))} />
        </div>
      );
    case "open":
      return (
        <Line
          className={className}
          icon={<Eye className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />}
          action={
            check.waitsFor === null ? (
              look(t("check.look"))
            ) : check.waitsFor === "settings" ? (
              <Button
                size="sm"
                look="accent"
                icon={<Settings2 className="size-3.5" aria-hidden="true" />}
                onClick={() => void navigate(pluginPath(agentId, key, "settings"))}
              >
                {t("check.toSettings")}
              </Button>
            ) : (
              <Button size="sm" look="accent" onClick={() => void openWizard(agentId, key)}>
                {t("check.toSignIn")}
              </Button>
            )
          }
        >
          {t(`check.open.${check.waitsFor ?? "nothing"}`)}
        </Line>
      );
    case "done":
      return <Found className={className} check={check} />;
  }
}

function Found({
  check,
  className,
}: {
  check: Extract<CheckView, { state: "done" }>;
  className: string | undefined;
}) {
  const { t, i18n } = useTranslation();
  const { tools, prompts, resources, instructions, suspicious } = check;
  const parts = [
    t("check.tools", { count: tools }),
    ...(prompts > 0 ? [t("check.prompts", { count: prompts })] : []),
    ...(resources ? [t("check.resources", { count: resources })] : []),
    ...(instructions ? [t("check.instructions")] : []),
  ];
  const list = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(parts);
  return (
    <div className={className}>
      <p className="text-sm text-ink">{t("check.found", { list })}</p>
      {suspicious > 0 && (
        <p className="mt-1 flex items-start gap-2 text-sm text-warn">
          <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
          {t("check.suspicious", { count: suspicious })}
        </p>
      )}
    </div>
  );
}

function Line({
  icon,
  action,
  className,
  children,
}: {
  icon: ReactNode;
  action: ReactNode;
  className: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={className}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        {icon}
        <p className="min-w-0 flex-1 basis-56 text-mute">{children}</p>
        {action}
      </div>
    </div>
  );
}
